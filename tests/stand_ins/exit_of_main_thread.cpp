// main ends as a thread does: its keys and thread-local objects go, then, with the last thread,
// the process exits.
#include <pthread.h>

#include <cstdlib>

#include "show.h"

struct Object {
  int number;
  ~Object() { SHOW_NUMBER(number); }
};
static Object global{1};
static thread_local Object local{2};
static pthread_key_t key;

static void* work(void* main_thread) {
  local.number = 3;
  SHOW_ERROR(pthread_join(*static_cast<pthread_t*>(main_thread), nullptr));
  return nullptr;
}

int main() {
  static pthread_t self = pthread_self();
  pthread_t a;
  std::atexit([] { SHOW_NUMBER(4); });
  pthread_key_create(&key, [](void*) { SHOW_NUMBER(5); });
  pthread_setspecific(key, &key);
  local.number = 6;
  pthread_create(&a, nullptr, work, &self);
  pthread_detach(a);
  pthread_exit(nullptr);
}
