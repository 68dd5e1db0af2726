// expect: verified
#include <cstdlib>

struct Leaver {
  Leaver() { std::exit(0); }
};
static Leaver leaver;

int main() { std::abort(); }
