// As mailbox-order.cpp, but each answer has the tag of its question: whichever comes first, the one
// that is meant is taken.
// cflags: -std=c++20
// allow: main returns while other threads are running
// expect: verified optimal=2 observers=1
#include <cassert>
#include <heddle/actors.hpp>

struct Ask {
  heddle::process from;
  int number;
};
struct Answer {
  int number;
};

static void serve() {
  const Ask ask = heddle::receive<Ask>();
  heddle::send(ask.from, heddle::tag(static_cast<unsigned>(ask.number)), Answer{ask.number});
}

int main() {
  const heddle::process one = heddle::spawn(serve), two = heddle::spawn(serve);
  heddle::send(one, Ask{heddle::self(), 1});
  heddle::send(two, Ask{heddle::self(), 2});
  assert(heddle::receive<Answer>(heddle::tag(1)).number == 1);
  assert(heddle::receive<Answer>(heddle::tag(2)).number == 2);
}
