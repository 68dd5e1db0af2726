// The old version is deleted at once.
// expect: finding use-after-free or data-race
#include <atomic>
#include <thread>

struct Version {
  long value;
};
std::atomic<Version*> current = new Version{1};

int main() {
  long seen = 0;
  std::thread reader([&seen] { seen = current.load()->value; });
  delete current.exchange(new Version{2});
  reader.join();
  delete current;
  return seen > 2;
}
