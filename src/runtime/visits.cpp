// What a thread is asked for out of turn: to do something on its own stack, and to name another.
#include "runtime/channel.hpp"
#include "runtime/scheduler.hpp"

namespace heddle::runtime {
namespace {

using Status = Fiber::Status;

// While set, whoever goes on runs this first and comes back.
void (*visiting)() = nullptr;
Fiber* visitor = nullptr;

}  // namespace

void be_visited() {
  while (visiting != nullptr) [[unlikely]] {
      visiting();
      Fiber& self = current();
      detail::current_fiber = visitor;
      switch_fibers(self, *visitor);
    }
}

void visit_other_threads(void (*f)()) {
  Fiber& self = current();
  visiting = f;
  visitor = &self;
  for_threads([&](Fiber& other) {
    if (&other == &self || (other.status != Status::live && other.status != Status::spinning))
      return;
    detail::current_fiber = &other;
    switch_fibers(self, other);
  });
  detail::current_fiber = &self;
  visiting = nullptr;
}

unsigned next_child() {
  abi::Channel& c = channel();
  Fiber& self = current();
  if (self.created == abi::max_threads ||
      (c.named + 1 == abi::max_threads && c.children[self.id][self.created] == 0))
    reach_bound(abi::Bound::threads);
  std::uint8_t& name = c.children[self.id][self.created++];
  if (name == 0) name = static_cast<std::uint8_t>(++c.named);
  if (reply().threads <= name) reply().threads = name + 1U;
  c.come[c.come_count++] = name;
  return name;
}

}  // namespace heddle::runtime
