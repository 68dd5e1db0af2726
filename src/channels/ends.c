// How files end, and who is told.
#include "channels.h"

void change(struct channel* c, enum news news) {
  if (c->waiting != 0) pthread_cond_broadcast(&c->changed);
  ring(c, news);
}

// REQUIRES: the mutex of the channel is held.
static void leave_in(struct file* file) {
  file->gives_up_in = false;
  --file->in->readers;
  change(file->in, file->in->is_unconnected ? news_room : news_end_of_readers);
}
static void leave_out(struct file* file) {
  file->gives_up_out = false;
  --file->out->writers;
  if (!file->out->is_unconnected) change(file->out, news_end_of_writers);
}

// What was sent to a socket, and not read when it is closed, is an error for the sender.
void reset_other(struct file* file) {
  if (file->in == NULL || !file->in->is_socket || file->in->is_unconnected) return;
  pthread_mutex_lock(&file->in->mutex);
  const bool unread = file->in->first != NULL;
  pthread_mutex_unlock(&file->in->mutex);
  if (!unread) return;
  pthread_mutex_lock(&file->out->mutex);
  file->out->reset = true;
  pthread_mutex_unlock(&file->out->mutex);
}

bool take_reset(struct channel* c) {
  pthread_mutex_lock(&c->mutex);
  const bool reset = c->reset;
  c->reset = false;
  pthread_mutex_unlock(&c->mutex);
  return reset;
}

void end_reading(struct file* file) {
  if (file->in == NULL) return;
  pthread_mutex_lock(&file->in->mutex);
  file->closed_in = true;
  if (file->held_in != 0)
    file->gives_up_in = true;
  else if (!file->shut_in)
    leave_in(file);
  pthread_mutex_unlock(&file->in->mutex);
}

void end_writing(struct file* file) {
  if (file->out == NULL) return;
  pthread_mutex_lock(&file->out->mutex);
  file->closed_out = true;
  if (file->held_out != 0)
    file->gives_up_out = true;
  else if (!file->shut_out)
    leave_out(file);
  pthread_mutex_unlock(&file->out->mutex);
}

void shut_reading(struct file* file) {
  pthread_mutex_lock(&file->in->mutex);
  if (!file->shut_in) leave_in(file);
  file->shut_in = true;
  ring(file->in, news_end_of_writers);
  pthread_mutex_unlock(&file->in->mutex);
}

void shut_writing(struct file* file) {
  pthread_mutex_lock(&file->out->mutex);
  if (!file->shut_out) leave_out(file);
  file->shut_out = true;
  pthread_mutex_unlock(&file->out->mutex);
}

// REQUIRES: the mutex of the channel is held.
void let_go_in(struct file* file) {
  if (--file->held_in == 0 && file->gives_up_in && !file->shut_in) leave_in(file);
}
void let_go_out(struct file* file) {
  if (--file->held_out == 0 && file->gives_up_out && !file->shut_out) leave_out(file);
}

void hold(struct file* file) {
  if (file->in != NULL) {
    pthread_mutex_lock(&file->in->mutex);
    ++file->held_in;
    pthread_mutex_unlock(&file->in->mutex);
  }
  if (file->out != NULL) {
    pthread_mutex_lock(&file->out->mutex);
    ++file->held_out;
    pthread_mutex_unlock(&file->out->mutex);
  }
}

void let_go(struct file* file) {
  if (file->in != NULL) {
    pthread_mutex_lock(&file->in->mutex);
    let_go_in(file);
    pthread_mutex_unlock(&file->in->mutex);
  }
  if (file->out != NULL) {
    pthread_mutex_lock(&file->out->mutex);
    let_go_out(file);
    pthread_mutex_unlock(&file->out->mutex);
  }
}

bool does_wait(struct file* file) {
  struct channel* c = file->in != NULL ? file->in : file->out;
  if (c == NULL) return true;
  pthread_mutex_lock(&c->mutex);
  const bool waits = c == file->in ? file->waits_in : file->waits_out;
  pthread_mutex_unlock(&c->mutex);
  return waits;
}

void set_waits(struct file* file, bool waits) {
  if (file->in != NULL) {
    pthread_mutex_lock(&file->in->mutex);
    file->waits_in = waits;
    if (file->out == file->in) file->waits_out = waits;
    pthread_mutex_unlock(&file->in->mutex);
  }
  if (file->out != NULL && file->out != file->in) {
    pthread_mutex_lock(&file->out->mutex);
    file->waits_out = waits;
    pthread_mutex_unlock(&file->out->mutex);
  }
}
