// A thread-local variable is used by way of a pointer when its thread has ended.
// expect: finding use-after-free line here
#include <thread>

static thread_local int variable = 5;
static int* pointer;

int main() {
  std::thread a([] { pointer = &variable; });
  a.join();
  *pointer = 7;  // here
}
