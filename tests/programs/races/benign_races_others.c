// Races of a function that is not marked are findings, with others that are not.
// expect: finding data-race
#include <heddle/heddle.h>
#include <pthread.h>

static int hits;

HEDDLE_BENIGN_RACES static void* benign(void* p) {
  ++hits;
  return p;
}
static void* other(void* p) {
  ++hits;
  return p;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, benign, 0);
  pthread_create(&b, 0, other, 0);
  pthread_create(&c, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
}
