// A seqlock with plain data is a race by the language, though it works on many machines.
// expect: finding data-race
#include <atomic>
#include <thread>

std::atomic<unsigned> sequence = 0;
long data = 0;

int main() {
  std::thread writer([] {
    ++sequence;
    data = 1;
    ++sequence;
  });
  const unsigned before = sequence;
  long seen = 0;
  if (before % 2 == 0) seen = data;
  const bool whole = sequence == before;
  writer.join();
  return whole && seen > 1;
}
