// Functions that only look at what is shared, or have a place of their own for it.
// expect: verified optimal=1 observers=1
#define _GNU_SOURCE
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void* work(void* unused) {
  char text[] = "one two", *rest, name[64];
  time_t now = 3600;
  struct tm parts;
  struct drand48_data numbers;
  unsigned seed = 1;
  unsigned short state[3] = {1, 2, 3};
  double number;
  strtok_r(text, " ", &rest);
  gmtime_r(&now, &parts);
  asctime_r(&parts, name);
  srand48_r(1, &numbers);
  drand48_r(&numbers, &number);
  rand_r(&seed);
  erand48(state);
  getenv("HOME");
  setlocale(LC_ALL, 0);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
