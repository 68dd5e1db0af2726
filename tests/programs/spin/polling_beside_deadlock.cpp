// Two threads wait for each other's locks; that a third one waits with a time limit, again and
// again, does not change that.
// expect: finding deadlock
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex a, b, m;
std::condition_variable changed;
bool done;

int main() {
  std::thread one([] {
    std::lock_guard first(a);
    std::lock_guard second(b);
  });
  std::thread two([] {
    std::lock_guard first(b);
    std::lock_guard second(a);
  });
  std::thread poller([] {
    std::unique_lock lock(m);
    while (!done) changed.wait_for(lock, 1s);
  });
  one.join();
  two.join();
  {
    std::lock_guard lock(m);
    done = true;
  }
  poller.join();
}
