// expect: verified
// A lock and other operations by inline assembly, as libraries have them: nothing is left unseen.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static int lock_word, turn;
static long counter, ready;
static unsigned char flags;

static void lock(int* l) {
  int one = 1;
  do __asm__ __volatile__("xchgl %0, %1" : "+r"(one), "+m"(*l) : : "memory");
  while (one != 0);
}
static void unlock(int* l) { __asm__ __volatile__("movl $0, %0" : "=m"(*l) : : "memory"); }

static bool compare_and_swap(int* p, int expected, int value) {
  bool done;
  __asm__ __volatile__("lock cmpxchgl %3, %0; sete %1"
                       : "+m"(*p), "=q"(done), "+a"(expected)
                       : "r"(value)
                       : "memory", "cc");
  return done;
}
static int load(const int* p) {
  int v;
  __asm__ __volatile__("movl (%1), %0" : "=r"(v) : "r"(p) : "memory");
  return v;
}
static void barrier(void) {
  __asm__ __volatile__("" ::: "memory");
  __asm__ __volatile__("mfence" ::: "memory");
  __asm__ __volatile__("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
  __asm__ __volatile__("rep; nop" ::: "memory");
}

static void* work(void* p) {
  lock(&lock_word);
  ++counter;
  unlock(&lock_word);
  barrier();
  __asm__ __volatile__("lock incq %0" : "+m"(ready) : : "cc");
  __asm__ __volatile__("lock; orb %b1,%0" : "+m"(flags) : "iq"(1) : "memory");
  return p;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  compare_and_swap(&turn, 0, 1);
  work(0);
  pthread_join(a, 0);
  assert(counter == 2 && ready == 2 && load(&turn) == 1 && flags == 1);
}
