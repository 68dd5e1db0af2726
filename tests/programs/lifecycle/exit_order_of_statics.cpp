// Two threads initialise a static each: the one that came first is destroyed last.
// expect: finding assertion line here
#include <cassert>
#include <thread>

static bool alive = false;
struct Used {
  Used() { alive = true; }
  ~Used() { alive = false; }
};
struct User {
  User() {}
  ~User() { assert(alive); }  // here
};
static void use() { static User user; }
static void be_used() { static Used used; }

int main() {
  std::thread a(use);
  be_used();
  a.join();
}
