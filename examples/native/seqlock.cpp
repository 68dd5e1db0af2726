// A clock with two hands, read without a lock. The number is odd while the hands are being set; but
// the reader looks at it only before, and can see one hand of the old time and one of the new.
// expect: finding assertion line 27
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
  while (number % 2 != 0) {
  }
  return hours * 60 + minutes;
}

int main() {
  std::thread writer(set, 10, 0);
  const int time = time_of_day();
  assert(time == 9 * 60 + 59 || time == 10 * 60);
  writer.join();
}
