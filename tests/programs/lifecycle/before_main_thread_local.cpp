// A thread-local object of the first thread that an initialiser uses is destroyed at exit, before
// the static ones.
// expect: verified
#include <cassert>

static bool destroyed;
struct Local {
  int uses = 0;
  ~Local() { destroyed = true; }
};
static thread_local Local local;

struct User {
  User() { ++local.uses; }
  ~User() { assert(destroyed); }
};
static User user;

int main() { assert(local.uses == 1); }
