#include <cassert>
#include <cstdio>
#include <heddle/actors.hpp>
using namespace std::chrono_literals;
struct Ping {
  heddle::process from;
  int number;
};
struct Pong {
  int number;
};
struct Stop {};
int main() {
  heddle::process echo = heddle::spawn([] {
    for (bool more = true; more;)
      heddle::receive(heddle::on<Ping>([](Ping p) { heddle::send(p.from, Pong{p.number}); }),
                      heddle::on<Stop>([&](Stop) { more = false; }));
  });
  for (int i = 0; i < 3; ++i) heddle::send(echo, Ping{heddle::self(), i});
  Pong mine = heddle::receive<Pong>([](const Pong& p) { return p.number == 1; });
  assert(mine.number == 1);
  assert(heddle::receive<Pong>().number == 0);
  assert(heddle::receive<Pong>(heddle::after(1s))->number == 2);
  assert(!heddle::receive<Pong>(heddle::after(1ms)));
  assert(!heddle::try_receive<Pong>());
  heddle::receive(heddle::on<Pong>([](Pong) { assert(false); }),
                  heddle::after(0s, [] { std::puts("none"); }));
  auto ref = heddle::monitor(echo);
  heddle::send(echo, std::string("ignored"));
  heddle::send(echo, Stop{});
  auto d = heddle::receive<heddle::down>();
  assert(d.reference == ref && d.reason == 0 && d.which == echo);
  echo.join();
  auto bad = heddle::spawn(
      [](int x) {
        heddle::receive<Stop>();
        throw std::runtime_error(std::to_string(x));
      },
      42);
  heddle::trap_exits();
  heddle::link(bad);
  heddle::send(bad, Stop{});
  auto e = heddle::receive<heddle::exited>();
  assert(e.text == "42" && e.reason == heddle_exception);
  heddle::trap_exits(false);
  bool thrown = false;
  heddle::send(heddle::self(), 5);
  try {
    heddle::receive<int>([](int) -> bool { throw 1; });
  } catch (int) {
    thrown = true;
  }
  assert(thrown);
  assert(heddle::receive<int>() == 5);
  assert(heddle::register_name("main") && heddle::whereis("main") == heddle::self());
  heddle::send(heddle::self(), heddle::tag(3), std::make_unique<int>(7));
  assert(*heddle::receive<std::unique_ptr<int>>(heddle::tag(3)) == 7);
  std::puts("ok");
}
