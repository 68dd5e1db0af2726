// The server may not have its name yet.
// cflags: -std=c++20
// expect: finding assertion line here
#include <cassert>
#include <heddle/actors.hpp>

int main() {
  const heddle::process server = heddle::spawn([] {
    heddle::register_name("server");
    heddle::receive<int>();
  });
  const heddle::process found = heddle::whereis("server");
  assert(found);  // here
  heddle::send(found, 1);
  server.join();
}
