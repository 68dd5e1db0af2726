// expect: misuse creates a thread before main
#include <thread>

struct Starter {
  Starter() { std::thread([] {}).join(); }
};
static Starter starter;

int main() {}
