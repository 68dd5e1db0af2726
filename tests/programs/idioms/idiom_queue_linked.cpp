// The queue of Michael and Scott. Nodes are used again, so that links are an index with a count of
// how often they were changed, in one word.
// expect: verified
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <thread>

class Link {
 public:
  Link() = default;
  Link(std::uint32_t node, std::uint32_t count) : bits_((std::uint64_t)count << 32 | node) {}
  std::uint32_t node() const { return (std::uint32_t)bits_; }
  // The link to another node that takes the place of this one.
  Link to(std::uint32_t node) const {
#ifdef BROKEN
    return {node, 0};
#else
    return {node, (std::uint32_t)(bits_ >> 32) + 1};
#endif
  }
  bool operator==(const Link&) const = default;

 private:
  std::uint64_t bits_ = 0;
};

template <typename T, std::size_t Nodes>
class Queue {
 public:
  Queue() {
    for (std::uint32_t i = 2; i <= Nodes; ++i) give_back(i);
    nodes_[1].next.store(Link(0, 0), std::memory_order_relaxed);
    head_.store(Link(1, 0), std::memory_order_relaxed);
    tail_.store(Link(1, 0), std::memory_order_relaxed);
  }
  bool put(T value) {
    const std::uint32_t mine = take_free();
    if (mine == 0) return false;
    nodes_[mine].value.store(value, std::memory_order_relaxed);
    nodes_[mine].next.store(nodes_[mine].next.load(std::memory_order_relaxed).to(0),
                            std::memory_order_relaxed);
    for (;;) {
      Link last = tail_.load(std::memory_order_acquire);
      Link next = nodes_[last.node()].next.load(std::memory_order_acquire);
      if (last != tail_.load(std::memory_order_acquire)) continue;
      if (next.node() != 0) {
        swing(tail_, last, next.node());
      } else if (swing(nodes_[last.node()].next, next, mine)) {
        swing(tail_, last, mine);
        return true;
      }
    }
  }
  bool take(T& value) {
    for (;;) {
      Link first = head_.load(std::memory_order_acquire);
      Link last = tail_.load(std::memory_order_acquire);
      const Link next = nodes_[first.node()].next.load(std::memory_order_acquire);
      if (first != head_.load(std::memory_order_acquire)) continue;
      if (first.node() == last.node()) {
        if (next.node() == 0) return false;
        swing(tail_, last, next.node());
        continue;
      }
      const T found = nodes_[next.node()].value.load(std::memory_order_relaxed);
      if (swing(head_, first, next.node())) {
        value = found;
        give_back(first.node());
        return true;
      }
    }
  }

 private:
  struct Node {
    std::atomic<T> value{};
    std::atomic<Link> next{};
  };
  static bool swing(std::atomic<Link>& link, Link& seen, std::uint32_t node) {
    return link.compare_exchange_strong(seen, seen.to(node), std::memory_order_acq_rel,
                                        std::memory_order_acquire);
  }
  void give_back(std::uint32_t node) {
    Link top = free_.load(std::memory_order_relaxed);
    do {
      nodes_[node].next.store(nodes_[node].next.load(std::memory_order_relaxed).to(top.node()),
                              std::memory_order_relaxed);
    } while (!swing(free_, top, node));
  }
  std::uint32_t take_free() {
    Link top = free_.load(std::memory_order_acquire);
    while (top.node() != 0 &&
           !swing(free_, top, nodes_[top.node()].next.load(std::memory_order_relaxed).node())) {
    }
    return top.node();
  }
  std::array<Node, Nodes + 1> nodes_;
  alignas(64) std::atomic<Link> head_;
  alignas(64) std::atomic<Link> tail_;
  alignas(64) std::atomic<Link> free_{Link(0, 0)};
};

int main() {
  Queue<int, 3> queue;
  int a = 0, b = 0, c = 0, d = 0, e = 0, put = 0;
  for (int i = 1; i <= 2; ++i)
    if (queue.put(i)) put += i;
  std::thread other([&] { queue.take(a); });
  queue.take(b);
  if (queue.put(4)) put += 4;
  queue.take(c);
  queue.take(d);
  other.join();
  queue.take(e);
  assert(a + b + c + d + e == put && !queue.take(e));
}
