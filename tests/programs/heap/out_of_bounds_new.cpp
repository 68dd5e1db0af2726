// A loop over an array of new[] goes one too far, if the other thread has said so.
// expect: finding out-of-bounds line here
#include <atomic>
#include <thread>

std::atomic<int> size = 3;

int main() {
  int* array = new int[3]();
  std::thread a([] { ++size; });
  int sum = 0;
  for (int i = 0, n = size; i < n; ++i) sum += array[i];  // here
  a.join();
  delete[] array;
  return sum > 1000;
}
