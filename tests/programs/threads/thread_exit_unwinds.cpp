// pthread_exit leaves all functions of the thread: destructors run, innermost first.
// expect: verified optimal=1 observers=1
#include <pthread.h>

#include <cassert>

long order = 0;

struct Guard {
  long digit;
  ~Guard() { order = order * 10 + digit; }
};

void inner() {
  Guard guard{1};
  pthread_exit(nullptr);
}
void* outer(void*) {
  Guard guard{2};
  inner();
  order = -1;
  return nullptr;
}

int main() {
  pthread_t a;
  pthread_create(&a, nullptr, outer, nullptr);
  pthread_join(a, nullptr);
  assert(order == 12);
}
