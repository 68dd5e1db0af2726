// To look at a bit is a read.
// expect: verified optimal=1
#include <assert.h>
#include <pthread.h>

unsigned bits = 4;
int seen[2];

static int is_set(int n) {
  unsigned char set;
  __asm__("btl %2, %1\n\tsetc %0" : "=q"(set) : "m"(bits), "Ir"(n) : "cc");
  return set;
}

void* look(void* which) {
  seen[which != 0] = is_set(which != 0 ? 2 : 1);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, look, 0);
  pthread_create(&b, 0, look, &bits);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!seen[0] && seen[1]);
}
