// exit runs what was registered, and destroys statics; what they see is part of the run.
// expect: finding assertion line here
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

std::atomic<int> x = 0;
struct Final {
  int seen = 0;
  ~Final() { assert(seen != 1); }  // here
} final_state;

int main() {
  std::atexit([] { final_state.seen = x; });
  std::thread a([] { x = x + 1; }), b([] { x = x + 1; });
  a.join();
  b.join();
}
