// Two threads print to std::cout, which is allowed, and build text in streams of their own.
// expect: verified
#include <atomic>
#include <cassert>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <thread>

std::atomic<int> x = 0;

void work(int id) {
  std::ostringstream text;
  text << "thread " << id << std::setw(4) << std::hex << 255 << ' ' << 0.5 << '\n';
  ++x;
  std::cout << text.str() << std::flush;
  std::istringstream in("12 words");
  int number = 0;
  std::string word;
  in >> number >> word;
  assert(text.str().substr(8) == "  ff 0.5\n" && number == 12 && word == "words");
}

int main() {
  std::thread a(work, 1), b(work, 2);
  a.join();
  b.join();
}
