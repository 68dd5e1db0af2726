// A thread that the initialiser of one object starts uses another one, which is initialised later.
// expect: finding data-race
#include <thread>

extern int table;
static std::thread user([] { static_cast<void>(table + 1); });
static int first() { return 7; }
int table = first();

struct Joiner {
  ~Joiner() { user.join(); }
};
static Joiner joiner;

int main() {}
