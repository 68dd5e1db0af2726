// To join a thread writes its object, when the thread is over.
// expect: finding data-race
#include <thread>

std::thread worker;

int main() {
  worker = std::thread([] {});
  std::thread other([] { worker.join(); });
  const bool before = worker.joinable();
  other.join();
  return before && false;
}
