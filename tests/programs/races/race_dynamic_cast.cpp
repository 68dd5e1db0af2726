// What an object is, a cast reads from it.
// expect: finding data-race
#include <new>
#include <thread>

struct Base {
  virtual ~Base() = default;
};
struct First : Base {};
struct Second : Base {};

alignas(Base) char memory[sizeof(Base)];

int main() {
  Base* object = new (memory) First;
  std::thread other([] { new (memory) Second; });
  const bool first = dynamic_cast<First*>(object) != nullptr;
  other.join();
  return first && false;
}
