// Main sees the first step of the thread, and deletes what the second one needs.
// expect: finding use-after-free or data-race
#include <atomic>
#include <thread>

int main() {
  auto* state = new std::atomic<int>(0);
  std::thread a([state] {
    state->store(1);
    state->fetch_add(1);
  });
  const bool done = state->load() != 0;
  if (done) delete state;
  a.join();
  if (!done) delete state;
}
