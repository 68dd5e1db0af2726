// request.cpp, with a flag that only one of the two can be the first to set.
// expect: verified
#include <atomic>
#include <cassert>
#include <future>
#include <thread>

std::promise<int> result;
std::atomic_flag kept;

void keep(int status) {
  if (!kept.test_and_set()) result.set_value(status);
}

void answer() { keep(200); }

void give_up() { keep(504); }

int main() {
  std::thread server(answer), timer(give_up);
  const int status = result.get_future().get();
  assert(status == 200 || status == 504);
  server.join();
  timer.join();
}
