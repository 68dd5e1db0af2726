// The thread waits until no thread uses its variables any more.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

static thread_local int variable = 5;
static std::atomic<int*> pointer = nullptr;
static std::atomic<bool> done = false;

int main() {
  std::thread a([] {
    int local = 0;
    pointer = &local;
    while (!done) {
    }
    done = false;
    pointer = &variable;
    while (!done) {
    }
    assert(local == 7 && variable == 8);
  });
  int* p;
  while ((p = pointer) == nullptr) {
  }
  *p = 7;
  pointer = nullptr;
  done = true;
  while ((p = pointer) == nullptr) {
  }
  *p = 8;
  done = true;
  a.join();
}
