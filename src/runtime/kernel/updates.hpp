// Writes whose result alone shows whether they did anything: one that leaves memory as it was is
// not an effect, nor is a plain write to the thread's own stack that another write undoes.
#pragma once

#include <cstdint>

#include "runtime/kernel/fiber.hpp"

namespace heddle::runtime {

// Of the current thread: something that other threads, or the thread itself, may see later.
void count_effect(Fiber& self);

// Before such a write, which comes next.
void note_update(Fiber& self, const void* address, std::uint64_t size, Fiber::Undone undone);

// The write that was noted has been made. To be called before any other thread continues: one that
// changes the memory back would hide it.
namespace detail {
void settle_update(Fiber& self);
}
inline void settle(Fiber& self) {
  if (self.updated != nullptr) detail::settle_update(self);
}

}  // namespace heddle::runtime
