// A static variable whose constructor throws is made by the next thread that comes.
// expect: verified
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>

std::atomic<int> thrown = 0;
int attempts = 0;

struct Made {
  int value;
  Made() : value(5) {
    if (++attempts == 1) throw std::runtime_error("not yet");
  }
};
Made& instance() {
  static Made made;
  return made;
}
void use() {
  try {
    assert(instance().value == 5);
  } catch (const std::runtime_error&) {
    ++thrown;
  }
}

int main() {
  std::thread a(use), b(use);
  a.join();
  b.join();
  assert(attempts == 2 && thrown == 1);
}
