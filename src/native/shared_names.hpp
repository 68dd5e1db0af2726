// The engine's end of the names that all workers of one program share: of steps, of threads, and
// which functions were called (abi::Names).
//
// The memory is a file of its own, so that any number of workers can map it. They append to it
// concurrently, and never change what is there. The program under test can write there as well,
// though it must not. So whatever is read here is copied and checked when it is first needed; from
// then on the copy counts, and a new mapping is filled from it if the shared one turns out to
// differ.
//
// Invariants:
// - A name that was once accepted means the same for as long as this object lives.
// - All workers of one generation agree about all names. Replies of a worker that was started with
//   an earlier generation are not received (Worker ensures that).
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "native/numbering.hpp"
#include "native/step_table.hpp"
#include "runtime/abi/wire.h"

namespace heddle::native {

class SharedNames {
 public:
  // Throws Misuse if there is no memory for it.
  SharedNames();
  ~SharedNames();
  SharedNames(const SharedNames&) = delete;
  SharedNames& operator=(const SharedNames&) = delete;

  // The file that workers map; each generation has its own.
  int file() const { return fd_; }
  std::uint32_t generation() const { return generation_; }
  abi::Names& shared() { return *shared_; }

  // Whether this is the name of a step.
  bool has_step(std::uint32_t name) { return steps_.has(name, shared_->steps); }
  // REQUIRES: has_step(name), or name is 0: a step that was not completed.
  StepTable::Step step(std::uint32_t name) const { return steps_[name]; }
  // The step that is like this one but uses its first object in this way; 0 if none is known.
  std::uint32_t step_with_use(std::uint32_t name, const Access& use) {
    return steps_.with_use(name, use, shared_->steps);
  }

  // The thread numbers that workers have assigned so far; if these are impossible, the last that
  // were not.
  const Numbering& numbering();
  // REQUIRES: the numbering is sound, and no worker has been started.
  void set_numbering(const Numbering& numbering);

  // Which functions were called, as abi::Called has it: those of the module whose first is `first`.
  std::uint8_t called(std::uint64_t number) const;

  // Call it when a process is gone: checks that all that was accepted is still there. If not, makes
  // a new mapping that has it, and begins a new generation.
  void repair();

 private:
  void map();
  void unmap();
  Numbering shared_numbering() const;
  bool can_be(const Numbering& numbering) const;
  bool is_intact() const;

  int fd_ = -1;
  abi::Names* shared_ = nullptr;
  std::uint32_t generation_ = 0;
  StepTable steps_;
  Numbering numbering_;  // as far as it has been accepted
};

}  // namespace heddle::native
