// expect: verified
// Variables of functions that other threads use while they live; their memory is used again.
#include <atomic>
#include <cassert>
#include <thread>

[[gnu::noinline]] int ask(int question) {
  int answer = 0;
  std::atomic<bool> done{false};
  std::thread t([&] {
    answer = question + 1;
    done.store(true, std::memory_order_release);
  });
  while (!done.load(std::memory_order_acquire)) {
  }
  int result = answer;
  t.detach();
  return result;
}

[[gnu::noinline]] int both(int question) {
  int answers[2] = {};
  std::thread t([&] { answers[0] = question; });
  answers[1] = question;
  t.join();
  return answers[0] + answers[1];
}

int main() {
  assert(ask(1) == 2);
  assert(both(1) == 2);
  assert(ask(2) == 3);
}
