// expect: verified
// A coroutine that suspends itself in one thread and is resumed by another.
#include <atomic>
#include <cassert>
#include <coroutine>
#include <thread>

std::atomic<void*> waiting;

struct Handover {
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> h) { waiting.store(h.address()); }
  int await_resume() { return 1; }
};

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};

int sum;

Task work(int start) {
  int local = start;
  for (int k = 0; k < 2; ++k) local += co_await Handover{};
  sum = local;
}

int main() {
  std::thread resumer([] {
    for (int k = 0; k < 2; ++k) {
      void* address;
      while ((address = waiting.exchange(nullptr)) == nullptr) {
      }
      std::coroutine_handle<>::from_address(address).resume();
    }
  });
  work(40);
  resumer.join();
  assert(sum == 42);
}
