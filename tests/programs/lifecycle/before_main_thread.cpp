// What initialisers of global objects do with threads is explored like all else.
// expect: verified optimal=1 observers=1
#include <thread>

struct Starter {
  Starter() {
    std::thread([] {}).join();
  }
};
static Starter starter;

int main() {}
