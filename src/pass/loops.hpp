// Loops that might only wait for another thread.
#pragma once

#include <llvm/Analysis/LoopInfo.h>

#include "pass/hooks.hpp"
#include "pass/privacy.hpp"
#include "pass/sites.hpp"

namespace heddle::pass {

// A round of a loop that carries nothing to the next, except what hooks are told of, is repeated
// until another thread does something. The hooks around such rounds let the runtime see that.
class Loops {
 public:
  Loops(llvm::Module& module, const Hooks& hooks, Sites& sites)
      : module_(module), hooks_(hooks), sites_(sites) {}

  // To be called after accesses have got their hooks.
  void instrument_all();

 private:
  struct Round {
    const llvm::Loop& loop;
    const llvm::DominatorTree& dominators;
  };

  void instrument(llvm::Function& f);
  bool carries_nothing(const Round& round);
  // It leaves nothing behind that hooks are not told of, except perhaps in local variables.
  bool is_clean(const llvm::Instruction& i);
  bool is_clean(const llvm::CallBase& call);
  bool is_clean(const llvm::Function& f);
  // Nor in those, for the next round.
  bool forgets(const llvm::Instruction& i, const Round& round);
  bool forgets(const llvm::Value* address, const Round& round);
  void add_hooks(llvm::BasicBlock& header, llvm::ArrayRef<llvm::BasicBlock*> latches,
                 const llvm::DILocation* start);

  llvm::Module& module_;
  const Hooks& hooks_;
  Sites& sites_;
  Privacy privacy_;
  // Functions looked at; while one is looked at, it is taken not to be clean,
  // for recursion.
  llvm::DenseMap<const llvm::Function*, bool> clean_;
};

}  // namespace heddle::pass
