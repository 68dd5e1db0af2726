// A std::thread is moved and swapped: the thread behind it stays the same.
// expect: verified optimal=1 observers=1
#include <cassert>
#include <thread>
#include <utility>

int main() {
  std::thread::id inside;
  std::thread a([&] { inside = std::this_thread::get_id(); });
  const std::thread::id outside = a.get_id();
  std::thread b = std::move(a), c;
  assert(!a.joinable() && a.get_id() == std::thread::id());
  b.swap(c);
  assert(c.get_id() == outside && c.joinable());
  c.join();
  assert(!c.joinable() && inside == outside && inside != std::this_thread::get_id());
}
