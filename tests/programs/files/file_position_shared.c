// Two threads read through one stream: who is first gets the first character.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE* file;
static int first;

static void* read_one(void* p) {
  const int c = fgetc(file);
  if (p) first = c;
  return p;
}

int main(void) {
  pthread_t a, b;
  file = fmemopen("ab", 2, "r");
  pthread_create(&a, 0, read_one, &first);
  pthread_create(&b, 0, read_one, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  fclose(file);
  assert(first == 'a');  // here
}
