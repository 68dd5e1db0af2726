// What no machine has is not given, and the program says what it does then.
// expect: verified optimal=1 observers=1
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <new>

void* block;
std::size_t too_much = PTRDIFF_MAX - 4096;

int main() {
  block = std::malloc(too_much);
  assert(block == nullptr);
  block = std::calloc(too_much, 16);
  assert(block == nullptr);
  bool thrown = false;
  try {
    block = operator new(too_much);
  } catch (const std::bad_alloc&) {
    thrown = true;
  }
  assert(thrown);
  block = operator new(too_much, std::nothrow);
  assert(block == nullptr);
}
