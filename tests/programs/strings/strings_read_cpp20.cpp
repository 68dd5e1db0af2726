// expect: verified
// cflags: -std=c++20
// Threads that only read strings, and make their own of them.
#include <cassert>
#include <string>
#include <thread>

const std::string text(40, 'x');
const std::wstring wide(40, L'x');

void work() {
  std::string copy(text), other("a string that is longer than fifteen characters");
  copy += other;
  copy.append(text, 2, 3).insert(0, "ab").replace(1, 2, text);
  std::wstring w = wide + L"y";
  w.push_back(L'z');
  assert(copy.find(text) != std::string::npos && text.compare(copy) != 0 && w != wide);
  assert(std::to_string(copy.size()).size() == 3);
}

int main() {
  std::thread t(work);
  work();
  t.join();
}
