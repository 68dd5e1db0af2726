// Switches inside handlers and during unwinding: what is being handled belongs to the thread.
// expect: verified optimal=20 observers=20
#include <atomic>
#include <cassert>
#include <exception>
#include <thread>

std::atomic<long> x;

struct Guard {
  int before = std::uncaught_exceptions();
  ~Guard() {
    x.fetch_add(1);
    assert(std::uncaught_exceptions() == before + 1);
  }
};

void work(int id) {
  try {
    Guard guard;
    throw id;
  } catch (int outer) {
    x.fetch_add(1);
    try {
      throw -id;
    } catch (int inner) {
      x.fetch_add(1);
      assert(inner == -id && outer == id);
    }
    assert(std::current_exception() != nullptr);
  }
  assert(std::uncaught_exceptions() == 0 && std::current_exception() == nullptr);
}

int main() {
  std::thread a(work, 1), b(work, 2);
  a.join();
  b.join();
}
