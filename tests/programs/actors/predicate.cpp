// A predicate chooses: the other message stays, and comes next.
// cflags: -std=c++20
// allow: main returns while other threads are running
// expect: verified
#include <cassert>
#include <heddle/actors.hpp>

struct Answer {
  int number;
};

int main() {
  const heddle::process self = heddle::self();
  for (int k = 0; k < 3; ++k) heddle::spawn([=] { heddle::send(self, Answer{k}); });
  const int wanted = 1;
  assert(heddle::receive<Answer>([&](const Answer& a) { return a.number == wanted; }).number == 1);
  const int first = heddle::receive<Answer>().number;
  assert(heddle::receive<Answer>().number == 2 - first);
}
