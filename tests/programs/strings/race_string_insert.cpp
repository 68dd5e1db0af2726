// expect: finding data-race
// cflags: -std=c++17
#include <string>
#include <thread>

std::string shared(100, 'a'), local(100, 'b');
std::wstring wide(100, L'a'), wide_local;
std::size_t place;

int main() {
  std::thread a([] { local.insert(3, shared); }), b([] {
    shared[3] = 'b';
    wide[3] = L'b';
  });
  a.join();
  b.join();
}
