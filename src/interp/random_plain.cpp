#include "interp/random_plain.hpp"

#include <utility>
#include <vector>

namespace heddle::interp {
namespace {

class Sprinkler {
 public:
  Sprinkler(Program program, Random& random) : program_(std::move(program)), random_(random) {}

  Program run() {
    for (Location o = 0; o < program_.objects.size(); ++o)
      if (program_.objects[o].kind == ObjectClass::memory && !program_.objects[o].on_heap)
        atomic_.push_back(o);
    add_variable("u");
    if (random_.chance(.3)) add_variable("v");
    for (Thread& t : program_.threads) {
      if (random_.chance(.7)) weaken(t);
      const int n = random_.between(0, 3);
      for (int k = 0; k < n; ++k) insert(t, access());
    }
    return std::move(program_);
  }

 private:
  // Threads and mailboxes are numbered after all objects.
  void add_variable(const char* name) {
    const auto at = static_cast<Location>(program_.objects.size());
    for (Thread& t : program_.threads)
      for (Instruction& i : t.code)
        if (i.object >= at) ++i.object;
    program_.objects.push_back({.name = name});
    plain_.push_back(at);
  }

  void weaken(Thread& t) {
    static const std::vector<MemoryOrder> reads = {MemoryOrder::relaxed, MemoryOrder::acquire},
                                          writes = {MemoryOrder::relaxed, MemoryOrder::release},
                                          both = {MemoryOrder::relaxed, MemoryOrder::acquire,
                                                  MemoryOrder::release,
                                                  MemoryOrder::acquire_release},
                                          fences = {MemoryOrder::acquire, MemoryOrder::release,
                                                    MemoryOrder::acquire_release};
    for (Instruction& i : t.code) {
      if (!random_.chance(.6)) continue;
      if (i.op < Op::write)
        i.order = random_.pick(reads);
      else if (i.op == Op::write || i.op == Op::add)
        i.order = random_.pick(writes);
      else if (i.op < Op::alloc)
        i.order = random_.pick(both);
      else if (i.op == Op::fence)
        i.order = random_.pick(fences);
    }
  }

  // What others read as well is not written: what they do may depend on it.
  Instruction access() {
    Instruction i{.object = random_.pick(plain_), .value = {1}};
    if (random_.chance(.1)) {
      i.op = random_.chance(.5) ? Op::read : Op::write;
      i.order = random_.chance(.5) ? MemoryOrder::sequential : MemoryOrder::relaxed;
    } else if (!atomic_.empty() && random_.chance(.1)) {
      i.op = Op::plain_read;
      i.object = random_.pick(atomic_);
    } else if (random_.chance(.1)) {
      i.op = Op::fence;
      i.object = 0;
      i.order = random_.chance(.5) ? MemoryOrder::acquire : MemoryOrder::release;
    } else {
      i.op = random_.chance(.5) ? Op::plain_read : Op::plain_write;
    }
    if (i.op != Op::write && i.op != Op::plain_write) i.value = {};
    return i;
  }

  void insert(Thread& t, const Instruction& what) {
    auto at = random_.below(t.code.size() + 1);
    while (in_block(t, at)) ++at;
    for (Instruction& i : t.code)
      if (i.op == Op::jump && static_cast<std::size_t>(i.target) > at) ++i.target;
    t.code.insert(t.code.begin() + static_cast<std::ptrdiff_t>(at), what);
  }

  static bool in_block(const Thread& t, std::size_t at) {
    bool inside = false;
    for (std::size_t k = 0; k < at; ++k) {
      if (t.code[k].op == Op::atomic_begin) inside = true;
      if (t.code[k].op == Op::atomic_end) inside = false;
    }
    return inside;
  }

  Program program_;
  Random& random_;
  std::vector<Location> atomic_, plain_;
};

}  // namespace

Program with_plain_accesses(Program program, Random& random) {
  return Sprinkler(std::move(program), random).run();
}

}  // namespace heddle::interp
