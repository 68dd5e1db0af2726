// Nothing orders the end of the thread with the use: it may come first, or second.
// expect: finding use-after-free or data-race
#include <atomic>
#include <thread>

static thread_local int variable = 5;
static std::atomic<int*> pointer = nullptr;

int main() {
  std::thread a([] { pointer = &variable; });
  if (int* p = pointer) *p = 7;
  a.join();
}
