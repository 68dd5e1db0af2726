// A thread has ended when its thread-local objects are gone, and not before.
// expect: verified
#include <pthread.h>

#include <atomic>
#include <cassert>

static std::atomic<int> destroyed;
struct Local {
  int used = 0;
  ~Local() { destroyed = 1; }
};
static thread_local Local local;

int main() {
  pthread_t t;
  pthread_create(
      &t, nullptr,
      [](void* p) {
        ++local.used;
        return p;
      },
      nullptr);
  if (pthread_tryjoin_np(t, nullptr) == 0)
    assert(destroyed == 1);
  else
    pthread_join(t, nullptr);
}
