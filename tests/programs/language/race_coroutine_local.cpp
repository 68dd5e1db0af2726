// expect: finding data-race
// Two threads resume the same coroutine, which has a local variable. (How it continues after that race
// is decided by what is read without a hook.)
// runs: one
#include <coroutine>
#include <thread>

struct Task {
  struct promise_type {
    Task get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

Task count() {
  for (int local = 0; local < 100; ++local) co_await std::suspend_always{};
}

int main() {
  Task task = count();
  std::thread a([&] { task.handle.resume(); }), b([&] { task.handle.resume(); });
  a.join();
  b.join();
  task.handle.destroy();
}
