// A request is answered, or given up after a while; both keep the promise. A promise can be kept
// only once: the second attempt gets an exception, which is not caught.
// expect: finding terminate line 10 or 12
#include <cassert>
#include <future>
#include <thread>

std::promise<int> result;

void answer() { result.set_value(200); }

void give_up() { result.set_value(504); }

int main() {
  std::thread server(answer), timer(give_up);
  const int status = result.get_future().get();
  assert(status == 200 || status == 504);
  server.join();
  timer.join();
}
