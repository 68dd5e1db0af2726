// cflags: -std=c++20
// allow: main returns while other threads are running
// expect: verified
#include <cassert>
#include <heddle/actors.hpp>

struct Go {};

int main() {
  const heddle::process worker = heddle::spawn([] {
    heddle::receive<Go>();
    heddle::exit(3);
  });
  heddle::trap_exits();
  heddle::link(worker);
  heddle::send(worker, Go{});
  const heddle::exited exited = heddle::receive<heddle::exited>();
  assert(exited.which == worker && exited.reason == 3);
}
