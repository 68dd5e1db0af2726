// A worker ends when it is told to and nothing is left to do.
// expect: verified
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable c;
std::deque<std::function<void()>> tasks;
bool stopping = false;

void work() {
  while (true) {
    std::unique_lock lock(m);
    c.wait(lock, [] { return stopping || !tasks.empty(); });
    if (tasks.empty()) return;
    const auto task = std::move(tasks.front());
    tasks.pop_front();
    lock.unlock();
    task();
  }
}
void submit(std::function<void()> task) {
  {
    std::lock_guard lock(m);
    tasks.push_back(std::move(task));
  }
  c.notify_one();
}

int main() {
  long done[2] = {};
  std::thread worker(work);
  submit([&] { done[0] = 1; });
  submit([&] { done[1] = 1; });
  {
    std::lock_guard lock(m);
    stopping = true;
  }
  c.notify_all();
  worker.join();
  assert(done[0] + done[1] == 2);
}
