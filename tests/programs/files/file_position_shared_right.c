// Whichever thread is first, each character comes once.
// expect: verified optimal=2
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE* file;
static int got[2];

static void* read_one(void* p) {
  *(int*)p = fgetc(file);
  return p;
}

int main(void) {
  pthread_t a, b;
  file = fmemopen("ab", 2, "r");
  pthread_create(&a, 0, read_one, got);
  pthread_create(&b, 0, read_one, got + 1);
  pthread_join(a, 0);
  pthread_join(b, 0);
  fclose(file);
  assert(got[0] + got[1] == 'a' + 'b');
}
