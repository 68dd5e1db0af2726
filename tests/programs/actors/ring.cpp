// A token goes round.
// cflags: -std=c++20
// expect: verified optimal=1 observers=1
#include <cassert>
#include <heddle/actors.hpp>

struct Next {
  heddle::process process;
};

int main() {
  constexpr int n = 8;
  heddle::process all[n];
  for (int k = n; k-- > 0;)
    all[k] = heddle::spawn([to = k + 1 < n ? all[k + 1] : heddle::self()] {
      heddle::send(to, heddle::receive<int>() + 1);
    });
  heddle::send(all[0], 0);
  assert(heddle::receive<int>() == n);
  for (const heddle::process p : all) p.join();
}
