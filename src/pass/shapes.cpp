#include "pass/shapes.hpp"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopRotationUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

namespace heddle::pass {

using namespace llvm;

namespace {

constexpr unsigned longest_test = 16;  // that is made in two places, by LLVM's estimate

// An instruction before the loop, and the one in it that does the same.
struct Pair {
  Instruction *first, *again;
};

bool is_read_hook(const Instruction& i) {
  const auto* call = dyn_cast<CallBase>(&i);
  const Function* f = call ? call->getCalledFunction() : nullptr;
  return f && (f->getName() == "__heddle_load" || f->getName() == "__heddle_read");
}

// Goes through the ends of two blocks that lead to the same, as long as they do the same.
class Ends {
 public:
  Ends(BasicBlock& before, BasicBlock& latch, BasicBlock& header)
      : before_(before), latch_(latch), header_(header) {}

  // The pairs that can be in the header instead, the last first: they begin with a hook.
  ArrayRef<Pair> find() {
    Instruction* first = previous(before_.getTerminator());
    Instruction* again = previous(latch_.getTerminator());
    std::size_t whole = 0;
    while (first && again && matches(*first, *again)) {
      pairs_.push_back({first, again});
      if (is_read_hook(*first) && all_of(wanted_, [&](const Wanted& w) {
            return any_of(pairs_,
                          [&](const Pair& p) { return p.first == w.first && p.again == w.second; });
          }))
        whole = pairs_.size();
      first = previous(first);
      again = previous(again);
    }
    return ArrayRef(pairs_).take_front(whole);
  }

 private:
  static Instruction* previous(Instruction* i) { return i->getPrevNonDebugInstruction(); }

  bool matches(Instruction& first, Instruction& again) {
    const bool hook = is_read_hook(first);
    if (!first.isSameOperationAs(&again) || isa<PHINode>(first)) return false;
    if (!hook && !isa<LoadInst>(first) && (first.mayReadOrWriteMemory() || isa<CallBase>(first)))
      return false;
    for (unsigned k = 0; k < first.getNumOperands(); ++k)
      if (first.getOperand(k) != again.getOperand(k) && !(hook && k == 1))
        wanted_.push_back({first.getOperand(k), again.getOperand(k)});
    return is_used_alike(first, again) && is_used_alike(again, first);
  }

  // Both are used only by what comes together: other pairs, and values of the header.
  bool is_used_alike(const Instruction& i, const Instruction& other) const {
    return all_of(i.users(), [&](const User* user) {
      if (const auto* phi = dyn_cast<PHINode>(user))
        return phi->getParent() == &header_ && phi->getNumIncomingValues() == 2 &&
               is_contained(phi->incoming_values(), &other);
      return any_of(pairs_, [&](const Pair& p) { return p.first == user || p.again == user; });
    });
  }

  BasicBlock &before_, &latch_, &header_;
  SmallVector<Pair, 4> pairs_;
  using Wanted = std::pair<const Value*, const Value*>;
  SmallVector<Wanted, 4> wanted_;  // pairs that those which are there need
};

void move_to(BasicBlock& header, ArrayRef<Pair> pairs) {
  for (const Pair& p : reverse(pairs)) {
    // What is the same in both becomes one value, which the pairs behind it use.
    p.first->replaceAllUsesWith(p.again);
  }
  for (const Pair& p : pairs) p.again->moveBefore(header, header.getFirstInsertionPt());
  for (const Pair& p : pairs) p.first->eraseFromParent();
  for (PHINode& phi : make_early_inc_range(header.phis())) {
    Value* value = phi.getIncomingValue(0);
    const bool moved = any_of(pairs, [&](const Pair& p) { return p.again == value; });
    if (!moved || phi.getIncomingValue(1) != value) continue;
    phi.replaceAllUsesWith(value);
    phi.eraseFromParent();
  }
}

// The value that was read in one round is carried to the next.
bool carries_read(const PHINode& phi, const Loop& loop) {
  return any_of(phi.blocks(), [&](const BasicBlock* from) {
    const auto* next = dyn_cast<Instruction>(phi.getIncomingValueForBlock(from));
    return loop.contains(from) && next && loop.contains(next) && !isa<PHINode>(next) &&
           !is_contained(next->operands(), &phi);
  });
}

bool wants_rotation(const Loop& loop, Hints& hints) {
  const BasicBlock& header = *loop.getHeader();
  return isa<BranchInst>(header.getTerminator()) && loop.isLoopExiting(&header) &&
         loop.getNumBlocks() > 1 &&
         all_of(header, [&](const Instruction& i) { return hints.is_hint(i); }) &&
         any_of(header.phis(), [&](const PHINode& phi) { return carries_read(phi, loop); });
}

}  // namespace

void join_first_rounds(Function& f) {
  const DominatorTree dominators(f);
  const LoopInfo info(dominators);
  for (const Loop* loop : info.getLoopsInPreorder()) {
    BasicBlock* header = loop->getHeader();
    BasicBlock *before = loop->getLoopPreheader(), *latch = loop->getLoopLatch();
    if (before == nullptr || latch == nullptr || latch == header ||
        latch->getSingleSuccessor() != header || !isa<BranchInst>(latch->getTerminator()))
      continue;
    Ends ends(*before, *latch, *header);
    move_to(*header, ends.find());
  }
}

void rotate_loops(Function& f, Hints& hints) {
  DominatorTree dominators(f);
  LoopInfo info(dominators);
  AssumptionCache assumptions(f);
  const TargetTransformInfo target(f.getParent()->getDataLayout());
  const SimplifyQuery query(f.getParent()->getDataLayout());
  SmallVector<BasicBlock*, 8> headers;
  for (const Loop* loop : info.getLoopsInPreorder())
    if (wants_rotation(*loop, hints)) headers.push_back(loop->getHeader());
  for (BasicBlock* header : headers) {
    Loop* loop = info.getLoopFor(header);
    if (loop == nullptr || loop->getHeader() != header) continue;
    simplifyLoop(loop, &dominators, &info, nullptr, &assumptions, nullptr, false);
    if (loop->isLoopSimplifyForm() && loop->getHeader() == header)
      LoopRotation(loop, &info, &target, &assumptions, &dominators, nullptr, nullptr, query, false,
                   longest_test, false);
  }
}

}  // namespace heddle::pass
