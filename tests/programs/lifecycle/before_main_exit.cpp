// expect: finding exit
#include <cstdlib>

struct Leaver {
  Leaver() { std::exit(3); }
};
static Leaver leaver;

int main() {}
