#include "runtime/kernel/visits.hpp"

#include "runtime/kernel/current.hpp"

namespace heddle::runtime {
namespace {

using Status = Fiber::Status;

struct Visit {
  void (*function)();  // while set, a thread that continues runs this first and switches back
  Fiber* from;
};
constinit Visit visit{};

}  // namespace

void be_visited() {
  while (visit.function != nullptr) [[unlikely]] {
    visit.function();
    Fiber& self = current();
    detail::now.fiber = visit.from;
    switch_fibers(self, *visit.from);
  }
}

void visit_other_threads(void (*f)()) {
  Fiber& self = current();
  visit = {f, &self};
  for_threads([&](Fiber& other) {
    if (&other == &self || (other.status != Status::live && other.status != Status::spinning))
      return;
    detail::now.fiber = &other;
    switch_fibers(self, other);
  });
  detail::now.fiber = &self;
  visit = {};
}

}  // namespace heddle::runtime
