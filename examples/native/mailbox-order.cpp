// A server is asked for two numbers, and its answers are taken in the order in which they come:
// the second may come first.
// cflags: -std=c++20
// expect: finding assertion
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
  heddle::send(ask.from, Answer{ask.number});
}

int main() {
  const heddle::process one = heddle::spawn(serve), two = heddle::spawn(serve);
  heddle::send(one, Ask{heddle::self(), 1});
  heddle::send(two, Ask{heddle::self(), 2});
  assert(heddle::receive<Answer>().number == 1);
  assert(heddle::receive<Answer>().number == 2);
}
