// Arguments are copied or moved into the thread, and references stay references.
// expect: verified optimal=1 observers=1
#include <cassert>
#include <functional>
#include <memory>
#include <string>
#include <thread>

struct Worker {
  long total = 0;
  void add(const std::string& text, std::unique_ptr<long> number, long& out) {
    total += static_cast<long>(text.size()) + *number;
    out = total;
  }
};

int main() {
  Worker worker;
  long out = 0;
  std::string text = "seven..";
  std::thread a(&Worker::add, &worker, text, std::make_unique<long>(5), std::ref(out));
  text = "changed while it runs";
  a.join();
  assert(out == 12 && worker.total == 12);
}
