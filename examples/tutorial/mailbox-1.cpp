// A mailbox whose readers wait for letters. It is closed when no more will come. There are two
// mistakes in it; this is the first to be found.
// expect: finding deadlock line 28
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <queue>
#include <thread>

class Mailbox {
 public:
  void put(int letter) {
    std::lock_guard lock(mutex_);
    letters_.push(letter);
    changed_.notify_one();
  }

  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_one();
  }

  // The next letter, or nothing if the mailbox is closed and empty.
  std::optional<int> take() {
    std::unique_lock lock(mutex_);
    if (letters_.empty() && !closed_) changed_.wait(lock);
    if (letters_.empty() && closed_) return std::nullopt;
    assert(!letters_.empty());
    const int letter = letters_.front();
    letters_.pop();
    return letter;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<int> letters_;
  bool closed_ = false;
};

Mailbox box;
int received[2];

void read(int& sum) {
  while (const auto letter = box.take()) sum += *letter;
}

int main() {
  std::thread a([] { read(received[0]); }), b([] { read(received[1]); });
  box.put(1);
  box.put(2);
  box.close();
  a.join();
  b.join();
  assert(received[0] + received[1] == 3);
}
