// expect: finding data-race
// The same behind a va_list, with more arguments than there are registers for.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char name[16] = "nobody";

static void* rename_it(void* p) {
  name[0] = 'N';
  return 0;
}
static void say(const char* format, ...) {
  char text[99];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, rename_it, 0);
  say("%d %d %Lf %d %g %d %*d %s", 1, 2, 3.0L, 4, 5.0, 6, 7, 8, name);
  pthread_join(t, 0);
  return 0;
}
