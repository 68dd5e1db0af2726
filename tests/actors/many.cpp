// Many processes and messages at once: what is sent is received once, in the order of its sender.
#include <cstdio>
#include <cstdlib>
#include <heddle/actors.hpp>
#include <vector>

#define CHECK(condition) \
  if (!(condition)) std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition), std::abort()

struct Item {
  int sender, number;
};
struct Stop {};

static void pass_on(heddle::process to) {
  for (bool more = true; more;)
    heddle::receive(heddle::on<Item>([&](Item i) { heddle::send(to, i); }),
                    heddle::on<Stop>([&](Stop) { more = false; }));
}

int main() {
  constexpr int senders = 20, each = 300;
  const heddle::process self = heddle::self();
  const heddle::process middle = heddle::spawn(pass_on, self);
  std::vector<heddle::process> all;
  for (int k = 0; k < senders; ++k)
    all.push_back(heddle::spawn([=] {
      for (int n = 0; n < each; ++n) heddle::send(middle, Item{k, n});
    }));
  std::vector<int> next(senders);
  for (int n = 0; n < each; ++n)  // of the odd ones first: the others stay
    for (int k = 1; k < senders; k += 2)
      CHECK(heddle::receive<Item>([=](const Item& i) { return i.sender == k; }).number == n);
  for (int n = 0; n < senders / 2 * each; ++n) {
    const Item i = heddle::receive<Item>();
    CHECK(i.sender % 2 == 0 && i.number == next[static_cast<std::size_t>(i.sender)]++);
  }
  CHECK(!heddle::try_receive<Item>());
  heddle::send(middle, Stop{});
  for (const heddle::process p : all) p.join();
  middle.join();
  // Processes that come and go: names are not used again for others.
  for (int k = 0; k < 500; ++k) {
    const heddle::process p = heddle::spawn([] { heddle::receive<Stop>(); });
    const std::uint64_t reference = heddle::monitor(p);
    heddle::send(p, Stop{});
    CHECK(heddle::receive<heddle::down>().reference == reference);
    heddle::send(p, Stop{});  // it is lost
    CHECK(!heddle::try_receive<Stop>());
  }
  std::puts("ok");
}
