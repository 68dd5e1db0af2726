// A coroutine that is begun by one thread and ended by another.
// expect: verified
#include <cassert>
#include <coroutine>
#include <exception>
#include <thread>

struct Task {
  struct promise_type {
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};

Task run(long& log) {
  log = 1;
  co_await std::suspend_always();
  log = log * 10 + 2;
  co_await std::suspend_always();
  log = log * 10 + 3;
}

int main() {
  long log = 0;
  const Task task = run(log);
  std::thread a([&] { task.handle.resume(); });
  a.join();
  assert(log == 12 && !task.handle.done());
  task.handle.resume();
  assert(log == 123 && task.handle.done());
  task.handle.destroy();
}
