// A server reads its configuration while it is replaced. The counters of a shared_ptr are atomic;
// the shared_ptr itself is an object like others: one thread copies it while another assigns to it.
// expect: finding data-race line 15 or 18
#include <cassert>
#include <memory>
#include <string>
#include <thread>

struct Configuration {
  std::string host;
};

auto current = std::make_shared<const Configuration>(Configuration{"localhost"});

void reload() { current = std::make_shared<const Configuration>(Configuration{"example.org"}); }

void serve() {
  const auto mine = current;
  assert(mine->host == "localhost" || mine->host == "example.org");
}

int main() {
  std::thread server(serve);
  reload();
  server.join();
}
