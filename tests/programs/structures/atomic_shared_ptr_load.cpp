// The atomic shared_ptr of libstdc++ 12 reads its pointer under a lock that it releases relaxed:
// by the language, this read is not ordered with the write of the next store.
// expect: finding data-race
#include <atomic>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<long>> current(std::make_shared<long>(1));

int main() {
  std::thread a([] { current.store(std::make_shared<long>(2)); });
  const auto seen = current.load();
  a.join();
  return *seen > 2;
}
