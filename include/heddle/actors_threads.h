// What <heddle/actors.h> stands on where programs are not built by heddle: threads of POSIX, and
// for each process two lists of messages. Others append to one of them, under a mutex; its process
// takes all of it when it has looked at everything in the other, which it has to itself.
#ifndef HEDDLE_ACTORS_THREADS_H
#define HEDDLE_ACTORS_THREADS_H

#include <time.h>

#ifndef HEDDLE_ACTORS_H
#error include<heddle/actors.h> instead
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct heddle_list_ {
  heddle_message *first, *last;
};

// A place for processes, one after the other: which one it is for is in the generation.
struct heddle_place_ {
  pthread_mutex_t mutex;
  pthread_cond_t arrived, ended;
  uint32_t number, generation;
  int is_free, has_ended, is_awaited;
  struct heddle_list_ inbox;
  struct heddle_watcher_* watchers;
  struct heddle_place_* next_free;
  struct heddle_list_ mail;  // its process has it to itself
  struct heddle_own_ own;
};

enum { heddle_per_chunk_ = 256, heddle_most_chunks_ = 4096 };
struct heddle_places_ {
  pthread_mutex_t mutex;
  struct heddle_place_* chunks[heddle_most_chunks_];  // what is there stays there
  uint32_t count;
  struct heddle_place_* free_ones;
  pthread_once_t once;
  pthread_key_t key;  // of a thread: its place
};
extern struct heddle_places_ heddle_places_;
HEDDLE_ACTORS_SHARED struct heddle_places_ heddle_places_ = {
    PTHREAD_MUTEX_INITIALIZER, {NULL}, 0, NULL, PTHREAD_ONCE_INIT, 0};

static inline heddle_process heddle_name_of_(const struct heddle_place_* p) {
  return (uint64_t)p->generation << 32 | (p->number + 1);
}
// Null if there has never been such a process.
static inline struct heddle_place_* heddle_place_of_(heddle_process process) {
  const uint32_t number = (uint32_t)process - 1;
  if (process == 0 || number / heddle_per_chunk_ >= heddle_most_chunks_) return NULL;
  struct heddle_place_* chunk =
      __atomic_load_n(&heddle_places_.chunks[number / heddle_per_chunk_], __ATOMIC_ACQUIRE);
  return chunk == NULL ? NULL : &chunk[number % heddle_per_chunk_];
}
// REQUIRES: its mutex is held.
static inline int heddle_lives_in_(const struct heddle_place_* p, heddle_process process) {
  return !p->is_free && !p->has_ended && heddle_name_of_(p) == process;
}

static inline struct heddle_place_* heddle_make_place_(void) {
  const uint32_t number = heddle_places_.count++;
  if (number / heddle_per_chunk_ >= heddle_most_chunks_) abort();
  struct heddle_place_* chunk = heddle_places_.chunks[number / heddle_per_chunk_];
  if (chunk == NULL) {
    chunk = (struct heddle_place_*)calloc(heddle_per_chunk_, sizeof *chunk);
    if (chunk == NULL) abort();
  }
  struct heddle_place_* p = &chunk[number % heddle_per_chunk_];
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_mutex_init(&p->mutex, NULL);
  pthread_cond_init(&p->arrived, &attributes);
  pthread_cond_init(&p->ended, NULL);
  pthread_condattr_destroy(&attributes);
  p->number = number;
  p->is_free = 1;
  __atomic_store_n(&heddle_places_.chunks[number / heddle_per_chunk_], chunk, __ATOMIC_RELEASE);
  return p;
}

static inline struct heddle_place_* heddle_take_place_(void) {
  pthread_mutex_lock(&heddle_places_.mutex);
  struct heddle_place_* p = heddle_places_.free_ones;
  if (p != NULL)
    heddle_places_.free_ones = p->next_free;
  else
    p = heddle_make_place_();
  pthread_mutex_unlock(&heddle_places_.mutex);
  pthread_mutex_lock(&p->mutex);
  p->is_free = p->has_ended = 0;
  memset(&p->own, 0, sizeof p->own);
  pthread_mutex_unlock(&p->mutex);
  return p;
}

static inline unsigned heddle_end_process_(int reason, const char* text);
static inline void heddle_free_message(heddle_message* m);

static inline void heddle_drop_(struct heddle_list_* list) {
  heddle_message* m = list->first;
  list->first = list->last = NULL;
  while (m != NULL) {
    heddle_message* next = m->next;
    heddle_free_message(m);
    m = next;
  }
}

// The thread is about to end: its place is for another from now on.
static void heddle_leave_place_(void* place) {
  struct heddle_place_* p = (struct heddle_place_*)place;
  pthread_setspecific(heddle_places_.key, p);  // for what it still does
  heddle_end_process_(heddle_normal, "");
  heddle_drop_(&p->mail);
  pthread_mutex_lock(&p->mutex);
  struct heddle_list_ late = p->inbox;
  p->inbox.first = p->inbox.last = NULL;
  p->is_free = 1;
  ++p->generation;
  pthread_mutex_unlock(&p->mutex);
  heddle_drop_(&late);
  pthread_setspecific(heddle_places_.key, NULL);
  pthread_mutex_lock(&heddle_places_.mutex);
  p->next_free = heddle_places_.free_ones;
  heddle_places_.free_ones = p;
  pthread_mutex_unlock(&heddle_places_.mutex);
}
static void heddle_make_key_(void) {
  if (pthread_key_create(&heddle_places_.key, heddle_leave_place_) != 0) abort();
}

static inline struct heddle_place_* heddle_own_place_(void) {
  pthread_once(&heddle_places_.once, heddle_make_key_);
  struct heddle_place_* p = (struct heddle_place_*)pthread_getspecific(heddle_places_.key);
  if (p != NULL) return p;
  p = heddle_take_place_();
  pthread_setspecific(heddle_places_.key, p);
  return p;
}
static inline struct heddle_own_* heddle_own_state_(void) { return &heddle_own_place_()->own; }
static inline heddle_process heddle_self(void) { return heddle_name_of_(heddle_own_place_()); }

struct heddle_thread_ {
  void* (*function)(void*);
  void* argument;
  struct heddle_place_* place;
};
static void* heddle_run_thread_(void* from) {
  const struct heddle_thread_ t = *(struct heddle_thread_*)from;
  free(from);
  pthread_setspecific(heddle_places_.key, t.place);
  return t.function(t.argument);
}
static inline heddle_process heddle_start_(void* (*function)(void*), void* argument) {
  heddle_own_place_();
  struct heddle_thread_* t = (struct heddle_thread_*)malloc(sizeof *t);
  if (t == NULL) abort();
  t->function = function;
  t->argument = argument;
  t->place = heddle_take_place_();
  const heddle_process process = heddle_name_of_(t->place);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, heddle_run_thread_, t) != 0) abort();
  pthread_attr_destroy(&attributes);
  return process;
}

// Waits until the process has ended.
static inline void heddle_join(heddle_process process) {
  struct heddle_place_* p = heddle_place_of_(process);
  if (p == NULL) return;
  pthread_mutex_lock(&p->mutex);
  while (heddle_lives_in_(p, process)) pthread_cond_wait(&p->ended, &p->mutex);
  pthread_mutex_unlock(&p->mutex);
}

// To a process that has ended, it is lost.
static inline void heddle_post_(heddle_process to, heddle_message* m) {
  struct heddle_place_* p = heddle_place_of_(to);
  m->next = NULL;
  if (p != NULL) {
    pthread_mutex_lock(&p->mutex);
    if (heddle_lives_in_(p, to)) {
      if (p->inbox.last == NULL)
        p->inbox.first = m;
      else
        p->inbox.last->next = m;
      p->inbox.last = m;
      m = NULL;
      if (p->is_awaited) pthread_cond_signal(&p->arrived);
    }
    pthread_mutex_unlock(&p->mutex);
  }
  heddle_free_message(m);
}

// Negative: the predicate has failed.
static inline int heddle_fits_(const heddle_pattern* p, const heddle_message* m) {
  if ((!p->any_kind && p->kind != m->kind) || (!p->any_tag && p->tag != m->tag)) return 0;
  return p->accepts == NULL ? 1 : p->accepts(p->context, m);
}

// Gets what has come. 0: nothing, and the time is over.
static inline int heddle_fetch_(struct heddle_place_* p, int64_t nanoseconds,
                                const struct timespec* deadline) {
  pthread_mutex_lock(&p->mutex);
  int late = nanoseconds == 0;
  p->is_awaited = 1;
  while (p->inbox.first == NULL && !late)
    late = nanoseconds < 0 ? pthread_cond_wait(&p->arrived, &p->mutex) != 0
                           : pthread_cond_timedwait(&p->arrived, &p->mutex, deadline) != 0;
  p->is_awaited = 0;
  const struct heddle_list_ come = p->inbox;
  p->inbox.first = p->inbox.last = NULL;
  pthread_mutex_unlock(&p->mutex);
  if (come.first == NULL) return 0;
  if (p->mail.last == NULL)
    p->mail.first = come.first;
  else
    p->mail.last->next = come.first;
  p->mail.last = come.last;
  return 1;
}

static inline heddle_message* heddle_take_(const heddle_pattern* patterns, uint32_t count,
                                           int64_t nanoseconds, uint32_t* which) {
  struct heddle_place_* p = heddle_own_place_();
  struct timespec deadline = {0, 0};
  if (nanoseconds > 0) {
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    const int64_t sum = deadline.tv_nsec + nanoseconds % 1000000000;
    deadline.tv_sec += (time_t)(nanoseconds / 1000000000 + sum / 1000000000);
    deadline.tv_nsec = (long)(sum % 1000000000);
  }
  heddle_message* before = NULL;
  for (;;) {
    for (heddle_message* m = before == NULL ? p->mail.first : before->next; m != NULL;
         before = m, m = m->next)
      for (uint32_t k = 0; k < count; ++k) {
        const int fits = heddle_fits_(&patterns[k], m);
        if (fits < 0) return NULL;
        if (fits == 0) continue;
        if (before == NULL)
          p->mail.first = m->next;
        else
          before->next = m->next;
        if (p->mail.last == m) p->mail.last = before;
        m->next = NULL;
        *which = k;
        return m;
      }
    if (!heddle_fetch_(p, nanoseconds, &deadline)) return NULL;
  }
}

// 0: the process has ended.
static inline int heddle_watch_(heddle_process process, struct heddle_watcher_* w) {
  struct heddle_place_* p = heddle_place_of_(process);
  if (p == NULL) return 0;
  pthread_mutex_lock(&p->mutex);
  const int lives = heddle_lives_in_(p, process);
  if (lives) {
    w->next = p->watchers;
    p->watchers = w;
  }
  pthread_mutex_unlock(&p->mutex);
  return lives;
}
static inline struct heddle_watcher_* heddle_end_watch_(void) {
  struct heddle_place_* p = heddle_own_place_();
  pthread_mutex_lock(&p->mutex);
  p->has_ended = 1;
  struct heddle_watcher_* all = p->watchers;
  p->watchers = NULL;
  pthread_cond_broadcast(&p->ended);
  pthread_mutex_unlock(&p->mutex);
  return all;
}

#ifdef __cplusplus
}
#endif

#endif  // HEDDLE_ACTORS_THREADS_H
