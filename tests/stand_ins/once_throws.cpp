// Who throws has not initialised: the next one does.
#include <pthread.h>

#include <mutex>

#include "show.h"

static int times;
static void thrice() {
  if (++times < 3) throw times;
}

int main() {
  pthread_once_t once = PTHREAD_ONCE_INIT;
  std::once_flag flag;
  for (int k = 0; k < 5; ++k) {
    try {
      SHOW_NUMBER(pthread_once(&once, thrice));
    } catch (int n) {
      SHOW_NUMBER(n);
    }
    SHOW_NUMBER(times);
  }
  times = 0;
  for (int k = 0; k < 5; ++k) {
    try {
      std::call_once(flag, thrice);
      SHOW_NUMBER(0);
    } catch (int n) {
      SHOW_NUMBER(n);
    }
    SHOW_NUMBER(times);
  }
  return 0;
}
