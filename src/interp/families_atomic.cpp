// Programs with steps that do several things at once or commute more often than their accesses
// tell: those of the context-sensitive papers, Albert et al. 2017 and 2023.
#include <string>

#include "interp/builder.hpp"
#include "interp/families.hpp"

namespace heddle::interp {
namespace {

using enum Compare;

// What a consumer keeps of n attempts: a bit for each, so that the registers it uses do not depend
// on n. The values follow, as they come in order.
void note(ThreadBuilder& c, Reg history, Reg got) { c.times(history, 2).plus(history, got); }

// Albert et al. 2017, section 4: a producer puts n values into a queue that is never full, and a
// consumer takes n times what is there, if anything. The queue's values are 1, 2, ... in order, so
// its two ends stand for it. C(2n, n) traces, but only 2^n outcomes.
Program producer_consumer(int n) {
  Builder b("producer-consumer", n);
  const Place head = b.memory("head"), tail = b.memory("tail");
  ThreadBuilder p = b.thread("p");
  for (int i = 0; i < n; ++i) p.fetch_add(tail, 1);
  ThreadBuilder c = b.thread("c");
  const Reg history = c.reg(), h = c.reg(), t = c.reg(), got = c.reg();
  for (int i = 0; i < n; ++i) {
    const std::string empty = "empty" + std::to_string(i);
    c.atomic_begin().read(h, head).read(t, tail).jump_if(h, eq, t, empty);
    c.write(head, h + 1).set(got, 1).label(empty);
    note(c, history, got);
    // What is left in registers is part of the state, and the ends of the queue are not the
    // consumer's to know.
    c.set(h, 0).set(t, 0).set(got, 0).atomic_end();
  }
  return b.build();
}

// Table 1 of the 2023 paper: the same with the values in a ring of n slots, and a producer that
// drops what does not fit. The size is what the published counts say (7: 550, 8: 1487, 9: 4036,
// 10: 10981): they are those of context sensitivity if, after each step, the thread tried first is
// the other one, and if the buffer is never full. C(2n, n) traces.
void produce(ThreadBuilder& p, Array slots, int capacity, Place count, Place tail, int value) {
  const Reg c{0}, t{1};
  const std::string full = "full" + std::to_string(value);
  p.atomic_begin().read(c, count).jump_if(c, ge, capacity, full);
  p.read(t, tail).write(slots[t], value).plus(t, 1).modulo(t, capacity).write(tail, t);
  p.write(count, c + 1).label(full).set(c, 0).set(t, 0).atomic_end();
}

void consume(ThreadBuilder& c, Array slots, int capacity, Place count, Place head, int attempt) {
  const Reg history{0}, last{1}, left{2}, h{3}, got{4};
  const std::string empty = "empty" + std::to_string(attempt);
  c.atomic_begin().read(left, count).jump_if(left, eq, 0, empty);
  c.read(h, head).read(last, slots[h]).plus(h, 1).modulo(h, capacity).write(head, h);
  c.write(count, left + -1).set(got, 1).label(empty);
  note(c, history, got);
  c.set(left, 0).set(h, 0).set(got, 0).atomic_end();
}

Program boundedbuffer(int n) {
  Builder b("boundedbuffer", n);
  const Array slots = b.array("slots", n);
  const Place count = b.memory("count"), head = b.memory("head"), tail = b.memory("tail");
  ThreadBuilder p = b.thread("p"), c = b.thread("c");
  for (int i = 0; i < n; ++i) produce(p, slots, n, count, tail, i + 1);
  for (int i = 0; i < n; ++i) consume(c, slots, n, count, head, i);
  return b.build();
}

// Both papers: n workers add their part of a sum, in one step each. n! traces; with the published
// context sensitivity the n-th zigzag number (2023, table 1).
Program pi(int n) {
  Builder b("pi", n);
  const Place sum = b.memory("sum");
  for (int i = 0; i < n; ++i)
    b.thread("w" + std::to_string(i)).fetch_add(sum, std::int64_t{1} << i);
  return b.build();
}

// Table 2 of the 2023 paper. Reconstructed from its numbers, which the description there (4 n
// writers of an array of n, two readers) does not yield: with m = n rounded down to an even number,
// 2^m traces, with or without observers, and one execution with context sensitivity, in a time that
// rules out exponentially many cuts, as there would be if each pair of a writer and a reader ran on
// its own. So: one thread writes zeros all over m arrays, zero as they were, and one checks the
// first element of each.
Program arraywrite(int n) {
  Builder b("arraywrite", n);
  ThreadBuilder writer = b.thread("w"), checker = b.thread("c");
  const Reg held = checker.reg();
  for (int k = 0; k < n / 2 * 2; ++k) {
    const Array a = b.array("a" + std::to_string(k), n);
    for (int i = 0; i < n; ++i) writer.write(a[i], 0);
    checker.check(held, a[0], eq, 0);
  }
  return b.build();
}

constexpr Family rows[] = {
    {"producer-consumer", "n values through a queue that is never full", 5, 1, 60,
     producer_consumer},
    {"boundedbuffer", "n values through a ring of n slots", 7, 1, 60, boundedbuffer},
    {"pi", "n workers that add to a sum", 5, 1, 60, pi},
    {"arraywrite", "a thread that writes arrays of n, and one that checks them", 5, 2, 100,
     arraywrite},
};

}  // namespace

std::span<const Family> atomic_families() { return rows; }

}  // namespace heddle::interp
