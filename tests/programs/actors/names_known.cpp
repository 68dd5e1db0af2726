// It tells when it has its name, and loses it at its end.
// cflags: -std=c++20
// expect: verified
#include <cassert>
#include <heddle/actors.hpp>

struct Ready {};

int main() {
  const heddle::process self = heddle::self();
  const heddle::process server = heddle::spawn([=] {
    assert(heddle::register_name("server"));
    heddle::send(self, Ready{});
    heddle::receive<int>();
  });
  heddle::receive<Ready>();
  assert(heddle::whereis("server") == server && !heddle::register_name("server"));
  heddle::send(heddle::whereis("server"), 1);
  server.join();
  assert(!heddle::whereis("server") && !heddle::whereis("nobody"));
}
