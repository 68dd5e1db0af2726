// What a round of a loop may do unseen by other threads.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::pass {

class Hints {
 public:
  // It leaves nothing behind and tells no hook of anything that matters: arithmetic, ways through
  // the function, hints to the processor and the system.
  bool is_hint(const llvm::Instruction& i) { return is_idle(i, false); }
  // The same, or it reads, or is a fence.
  bool only_reads(const llvm::Instruction& i) { return is_idle(i, true); }

 private:
  bool is_idle(const llvm::Instruction& i, bool reads);
  bool is_idle_call(const llvm::CallBase& call, bool reads);
  bool is_idle_function(const llvm::Function& f, bool reads);

  // Functions looked at; while one is looked at, it is taken not to be idle, for recursion.
  llvm::DenseMap<const llvm::Function*, bool> idle_[2];
};

// A hint to the processor or the compiler.
bool is_harmless_assembly(const llvm::CallBase& call);
bool is_harmless_intrinsic(const llvm::IntrinsicInst& i);

// Hooks change nothing; what they tell of is looked at by itself.
bool is_hook(const llvm::CallBase& call);
// One that tells of an access, or of what else others could see.
bool tells(const llvm::Instruction& i);

}  // namespace heddle::pass
