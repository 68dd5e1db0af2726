// The worker fails; who is linked to it ends in its next receive, and the monitor is told.
// cflags: -std=c++20
// allow: main returns while other threads are running
// expect: verified
#include <cassert>
#include <heddle/actors.hpp>
#include <stdexcept>

struct Go {};

int main() {
  const heddle::process worker = heddle::spawn([] {
    heddle::receive<Go>();
    throw std::runtime_error("it fails");
  });
  const heddle::process partner = heddle::spawn([=] {
    heddle::link(worker);
    heddle::send(worker, Go{});
    heddle::receive<Go>();
    assert(false);
  });
  const std::uint64_t reference = heddle::monitor(partner);
  const heddle::down down = heddle::receive<heddle::down>();
  assert(down.which == partner && down.reference == reference);
  assert(down.reason == heddle_exception || down.reason == heddle_no_process);
  worker.join();
}
