// N threads that each make a pool of memory below a common one, allocate from both, and give theirs
// back. Like apr_1 in Aronis et al. 2018, table 1, which is adapted from the Apache Portable
// Runtime and not given; a pool has its mutex, and the list of pools below it, as there.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N 2
#endif
enum { capacity = 64 };

struct pool {
  pthread_mutex_t mutex;
  struct pool *parent, *first, *next, **link;  // below the parent's mutex
  int used;
  char memory[capacity];
};

static struct pool root;

static void* allocate(struct pool* p, int size) {
  pthread_mutex_lock(&p->mutex);
  void* out = p->used + size <= capacity ? &p->memory[p->used] : 0;
  if (out != 0) p->used += size;
  pthread_mutex_unlock(&p->mutex);
  return out;
}

static struct pool* create(struct pool* parent) {
  struct pool* p = malloc(sizeof *p);
  pthread_mutex_init(&p->mutex, 0);
  p->first = 0;
  p->used = 0;
  p->parent = parent;
  pthread_mutex_lock(&parent->mutex);
  p->next = parent->first;
  if (p->next != 0) p->next->link = &p->next;
  p->link = &parent->first;
  parent->first = p;
  pthread_mutex_unlock(&parent->mutex);
  return p;
}

static void destroy(struct pool* p) {
  pthread_mutex_lock(&p->parent->mutex);
  *p->link = p->next;
  if (p->next != 0) p->next->link = p->link;
  pthread_mutex_unlock(&p->parent->mutex);
  pthread_mutex_destroy(&p->mutex);
  free(p);
}

static void* work(void* unused) {
  struct pool* own = create(&root);
  char* a = allocate(&root, 4);
  char* b = allocate(own, 4);
  assert(a != 0 && b != 0);
  *a = *b = 1;
  destroy(own);
  return unused;
}

int main(void) {
  pthread_mutex_init(&root.mutex, 0);
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
  assert(root.first == 0 && root.used == 4 * N);
}
