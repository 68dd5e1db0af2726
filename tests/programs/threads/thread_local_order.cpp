// Thread-local objects are made when a thread first uses them, and destroyed in reverse at its end,
// after which the thread can be joined.
// expect: verified optimal=1 observers=1
#include <cassert>
#include <thread>

long order = 0;
struct Noisy {
  long digit;
  explicit Noisy(long d) : digit(d) {}
  ~Noisy() { order = order * 10 + digit; }
};
thread_local Noisy one(1), two(2);

int main() {
  std::thread unused([] {});
  unused.join();
  assert(order == 0);
  std::thread user([] { assert(two.digit == 2); });
  user.join();
  assert(order == 21);
}
