// expect: finding terminate
#include <stdexcept>

struct Thrower {
  Thrower() { throw std::runtime_error("not today"); }
};
static Thrower thrower;

int main() {}
