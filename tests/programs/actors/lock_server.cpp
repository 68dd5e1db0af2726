// A mutex that is a process: clients acquire it, work, and release it.
// cflags: -std=c++20
// expect: verified observers=6
#include <cassert>
#include <heddle/actors.hpp>

struct Acquire {
  heddle::process from;
};
struct Granted {};
struct Release {};

static int inside;

int main() {
  constexpr int n = 3;
  const heddle::process server = heddle::spawn([] {
    for (int k = 0; k < n; ++k) {
      heddle::send(heddle::receive<Acquire>().from, Granted{});
      heddle::receive<Release>();
    }
  });
  heddle::process clients[n];
  for (heddle::process& client : clients)
    client = heddle::spawn([server] {
      heddle::send(server, Acquire{heddle::self()});
      heddle::receive<Granted>();
      assert(++inside == 1);
      --inside;
      heddle::send(server, Release{});
    });
  for (const heddle::process client : clients) client.join();
  server.join();
}
