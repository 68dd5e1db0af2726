// N clients register with a server, which counts them, and then note that they have; a friend of
// each notes the same. N! * 2^N traces, one outcome. Albert et al. 2017, table 2 (Reg), which does
// not give the program: this is made from its counts.
#include <assert.h>
#include <pthread.h>

#include "section.h"

#ifndef N
#define N 3
#endif

static section server;
static int registered;

static struct client {
  section s;
  int notes;
} clients[N];

static void note(struct client* c) {
  section_begin(&c->s);
  ++c->notes;
  section_end(&c->s);
}

static void* enter(void* self) {
  section_begin(&server);
  ++registered;
  section_end(&server);
  note(self);
  return 0;
}
static void* befriend(void* of) {
  note(of);
  return 0;
}

int main(void) {
  section_init(&server);
  for (int i = 0; i < N; ++i) section_init(&clients[i].s);
  pthread_t threads[2 * N];
  for (int i = 0; i < N; ++i) {
    pthread_create(&threads[2 * i], 0, enter, &clients[i]);
    pthread_create(&threads[2 * i + 1], 0, befriend, &clients[i]);
  }
  for (int i = 0; i < 2 * N; ++i) pthread_join(threads[i], 0);
  assert(registered == N);
  for (int i = 0; i < N; ++i) assert(clients[i].notes == 2);
}
