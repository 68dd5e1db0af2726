// seqlock.cpp, with a reader that tries again if the number has changed meanwhile.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> number;
std::atomic<int> hours = 9, minutes = 59;

void set(int h, int m) {
  ++number;
  hours = h;
  minutes = m;
  ++number;
}

int time_of_day() {
  unsigned before = 0;
  int time = 0;
  do {
    before = number;
    time = hours * 60 + minutes;
  } while (before % 2 != 0 || number != before);
  return time;
}

int main() {
  std::thread writer(set, 10, 0);
  const int time = time_of_day();
  assert(time == 9 * 60 + 59 || time == 10 * 60);
  writer.join();
}
