// A string is appended to, inside the library, while another thread asks for its length.
// expect: finding data-race
#include <string>
#include <thread>

std::string s = "abc";
long seen = 0;

int main() {
  std::thread a([] { s.append("def"); });
  seen = static_cast<long>(s.size());
  a.join();
}
