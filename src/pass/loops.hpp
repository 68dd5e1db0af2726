// Loops that might only wait for another thread.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>

#include "pass/calls.hpp"
#include "pass/free_values.hpp"
#include "pass/hints.hpp"
#include "pass/hooks.hpp"
#include "pass/privacy.hpp"
#include "pass/sites.hpp"

namespace heddle::pass {

// A round of a loop that carries nothing to the next, except what hooks are told of, is repeated
// until another thread does something. The hooks around such rounds let the runtime see that.
class Loops {
 public:
  Loops(llvm::Module& module, const Hooks& hooks, Sites& sites, Calls& calls)
      : module_(module), hooks_(hooks), sites_(sites), calls_(calls) {}

  // To be called after accesses have got their hooks.
  void instrument_all();

 private:
  struct Round {
    const llvm::Loop& loop;
    const llvm::DominatorTree& dominators;
    const FreeValues& free;
  };

  // What gets hooks.
  struct Found {
    llvm::BasicBlock* header;
    llvm::SmallVector<llvm::BasicBlock*, 4> latches;
    // Where it is left; only of one that is left by counting.
    llvm::SmallVector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>, 4> exits;
    llvm::SmallVector<llvm::AllocaInst*, 2> forgotten;  // variables of single rounds
    llvm::SmallVector<llvm::PHINode*, 4> carried;       // values that are compared
    llvm::DebugLoc start;
  };

  void instrument(llvm::Function& f);
  // That it is explored round by round.
  void tell_of_counting(const llvm::Loop& loop);
  // Stores of rounds may be seen to leave memory as it was: see abi.h. Variables of functions that
  // rounds call are to end with those: they stay functions.
  void adapt(llvm::BasicBlock& block);
  // Of which hooks tell what is written there.
  bool has_shown_variable(const llvm::Function& f);
  bool carries_nothing(const Round& round);
  // It leaves nothing behind that hooks are not told of, except perhaps in local variables.
  bool is_clean(const llvm::Instruction& i);
  bool is_clean(const llvm::CallBase& call);
  bool is_clean(const llvm::Function& f);
  // Nor in those, for the next round.
  bool forgets(const llvm::Instruction& i, const Round& round);
  bool forgets(const llvm::Value* address, const Round& round);
  // Where a round begins and where it ends: what is in them has no meaning.
  void forget(llvm::ArrayRef<llvm::AllocaInst*> variables, llvm::IRBuilder<>& at);
  llvm::BasicBlock* way_between(llvm::BasicBlock& from, llvm::BasicBlock& to);
  void add_hooks(const Found& found);
  void add_hook_of_kept(llvm::Instruction& i);

  llvm::Module& module_;
  const Hooks& hooks_;
  Sites& sites_;
  Calls& calls_;
  Privacy privacy_;
  Hints hints_;
  // Functions looked at; while one is looked at, it is taken not to be clean,
  // for recursion.
  llvm::DenseMap<const llvm::Function*, bool> clean_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> ways_;
  llvm::SmallPtrSet<const llvm::Function*, 8> adapted_;  // those whose stores are
};

}  // namespace heddle::pass
