// A cache under a readers-writer lock. Who does not find a page lets the lock for readers go and
// takes the one for writers, but does not look again: in between, another may have loaded the page.
// expect: finding assertion line 37
#include <cassert>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

std::shared_mutex mutex;
std::map<int, std::string> pages;
int loads;

std::string load(int number) {
  ++loads;
  return "page " + std::to_string(number);
}

std::string get(int number) {
  {
    std::shared_lock reading(mutex);
    const auto found = pages.find(number);
    if (found != pages.end()) return found->second;
  }
  std::unique_lock writing(mutex);
  return pages[number] = load(number);
}

int main() {
  std::thread a(get, 7), b(get, 7);
  a.join();
  b.join();
  assert(get(7) == "page 7");

  // The source is slow: nothing should be loaded twice.
  assert(loads == 1);
}
