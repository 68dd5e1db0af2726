// Who returns from main destroys its thread-local objects, then static ones; keys have no part in
// it.
#include <pthread.h>

#include <cstdlib>
#include <thread>

#include "show.h"

struct Object {
  int number;
  ~Object() { SHOW_NUMBER(number); }
};
static Object global{1};
static thread_local Object local{2}, second{3};
static pthread_key_t key;

static void make_static(int number) { static Object object{number}; }

int main() {
  std::atexit([] { SHOW_NUMBER(4); });
  pthread_key_create(&key, [](void*) { SHOW_NUMBER(5); });
  pthread_setspecific(key, &key);
  make_static(6);
  local.number = 7;
  second.number = 8;
  std::thread([] {
    second.number = 9;
    pthread_setspecific(key, &key);
  }).join();
  return 0;
}
