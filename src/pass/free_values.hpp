// Values that a loop carries from round to round and that need not be compared, because nothing
// depends on them but how long the loop takes: counters of rounds, and how long to back off.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>

#include "pass/hints.hpp"

namespace heddle::pass {

// There are two kinds. Some only decide about hints: how often to pause, whether to yield. Those
// are as good as dead. Others also decide when to leave the loop, which is left by *counting* then.
// They need not be compared if each round that comes back to the header does the same as the one
// before, but for them: see abi.h, and docs/how-native-works.md for why.
class FreeValues {
 public:
  FreeValues(const llvm::Loop& loop, const llvm::DominatorTree& dominators,
             const llvm::PostDominatorTree& joins, Hints& hints, bool may_count,
             llvm::function_ref<bool(const llvm::PHINode&)> is_constant);

  bool is_free(const llvm::PHINode& phi) const { return free_.contains(&phi); }
  // Whether the loop is left by counting, by free values.
  bool counts() const { return counts_; }
  // Whether it could be, if what it counts were not used for something else, too: it looks at the
  // same places again and again, and does nothing else.
  bool counts_in_vain();

 private:
  // What a value of the header gets to.
  struct Reach {
    bool fails = false;  // something that others, or what comes after the loop, may see
    llvm::SmallSetVector<const llvm::BasicBlock*, 2> exits;  // left because of it
  };

  void find_autonomous();
  // It is a function of the round's number and of what is the same in all rounds.
  bool is_autonomous(const llvm::Value* value, unsigned depth = 0);
  bool is_autonomous_choice(const llvm::PHINode& phi, unsigned depth);
  bool leaves_by_count(const llvm::BasicBlock& block);
  const llvm::BasicBlock* exit_before(const llvm::Use& use);

  using Values = llvm::SmallSetVector<const llvm::Instruction*, 16>;
  Reach reach(const llvm::PHINode& phi);
  bool add_use(const llvm::Use& use, Values& values, Reach& reached);
  bool add_store(const llvm::Instruction& store, Values& values);
  bool add_branch(const llvm::Instruction& branch, Values& values, Reach& reached);

  // Rounds that come back only read.
  bool only_reads();
  // All of those do the same.
  bool repeats(llvm::ArrayRef<const llvm::BasicBlock*> exits);
  bool can_come_back(const llvm::Instruction& i);
  bool is_in_each_round(const llvm::BasicBlock& exit);
  bool is_at_boundary(const llvm::BasicBlock& exit, bool& at_end);
  bool takes_along(llvm::ArrayRef<const llvm::BasicBlock*> exits);

  const llvm::Loop& loop_;
  const llvm::DominatorTree& dominators_;
  const llvm::PostDominatorTree& joins_;
  Hints& hints_;
  llvm::SmallPtrSet<const llvm::PHINode*, 8> autonomous_, free_;
  bool counts_ = false;
  unsigned looked_at_ = 0;  // values, so that there is an end to it
};

}  // namespace heddle::pass
