// configuration.cpp, with a mutex around what is done to the shared_ptr itself. What it points to
// can be used without.
// expect: verified
#include <cassert>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

struct Configuration {
  std::string host;
};

std::mutex mutex;
auto current = std::make_shared<const Configuration>(Configuration{"localhost"});

void reload() {
  auto loaded = std::make_shared<const Configuration>(Configuration{"example.org"});
  std::lock_guard lock(mutex);
  current.swap(loaded);
}

auto get() {
  std::lock_guard lock(mutex);
  return current;
}

void serve() {
  const auto mine = get();
  assert(mine->host == "localhost" || mine->host == "example.org");
}

int main() {
  std::thread server(serve);
  reload();
  server.join();
}
