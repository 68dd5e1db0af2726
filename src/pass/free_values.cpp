#include "pass/free_values.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::pass {

using namespace llvm;

namespace {

constexpr unsigned deepest = 24;  // of expressions that are looked at
constexpr unsigned most = 200;    // values that depend on one
constexpr unsigned most_looked_at = 20'000;

bool is_pure(const Instruction& i) {
  if (const auto* call = dyn_cast<CallBase>(&i))
    return call->doesNotAccessMemory() && call->doesNotThrow() && !call->isConvergent();
  return !isa<AllocaInst, PHINode>(i) && !i.isTerminator() && !i.isEHPad() &&
         !i.mayReadOrWriteMemory() && !i.mayHaveSideEffects();
}

const Value* condition_of(const Instruction& branch) {
  if (const auto* br = dyn_cast<BranchInst>(&branch))
    return br->isConditional() ? br->getCondition() : nullptr;
  const auto* choice = dyn_cast<SwitchInst>(&branch);
  return choice ? choice->getCondition() : nullptr;
}

bool has_told(const BasicBlock& block, Hints& hints) {
  return any_of(block, [&](const Instruction& i) { return !hints.is_hint(i); });
}

// A local variable that is loaded and stored there, if that is all that is ever done to it.
const AllocaInst* slot_of(const Instruction& access) {
  const auto* variable = dyn_cast_or_null<AllocaInst>(getLoadStorePointerOperand(&access));
  const bool is_slot = variable && all_of(variable->users(), [&](const User* user) {
                         const auto* store = dyn_cast<StoreInst>(user);
                         return isa<LoadInst, LifetimeIntrinsic>(user) ||
                                (store && store->getValueOperand() != variable);
                       });
  return is_slot ? variable : nullptr;
}

// Blocks of the loop that can be reached from these without passing `end`.
using Blocks = SmallSetVector<const BasicBlock*, 8>;
Blocks reached_before(const BasicBlock* end, ArrayRef<const BasicBlock*> from, const Loop& loop) {
  Blocks out;
  for (const BasicBlock* b : from)
    if (b != end && loop.contains(b)) out.insert(b);
  for (unsigned k = 0; k < out.size(); ++k)
    for (const BasicBlock* next : successors(out[k]))
      if (next != end && loop.contains(next)) out.insert(next);
  return out;
}

}  // namespace

FreeValues::FreeValues(const Loop& loop, const DominatorTree& dominators,
                       const PostDominatorTree& joins, Hints& hints, bool may_count,
                       function_ref<bool(const PHINode&)> is_constant)
    : loop_(loop), dominators_(dominators), joins_(joins), hints_(hints) {
  find_autonomous();
  SmallSetVector<const BasicBlock*, 2> exits;
  SmallVector<const PHINode*, 4> counters;
  bool all = true;
  for (const PHINode& phi : loop.getHeader()->phis()) {
    if (is_constant(phi)) continue;
    const Reach reached = reach(phi);
    if (reached.fails) {
      all = false;
    } else if (reached.exits.empty()) {
      free_.insert(&phi);
    } else {
      all = all && phi.getType()->isIntOrPtrTy();
      counters.push_back(&phi);
      exits.insert(reached.exits.begin(), reached.exits.end());
    }
  }
  counts_ = may_count && all && !counters.empty() && repeats(exits.getArrayRef());
  if (counts_) free_.insert(counters.begin(), counters.end());
}

void FreeValues::find_autonomous() {
  SmallVector<BasicBlock*, 4> latches;
  loop_.getLoopLatches(latches);
  const auto next = [&](const PHINode& phi) -> const Value* {
    const Value* value = phi.getIncomingValueForBlock(latches.front());
    const bool same = all_of(latches, [&](const BasicBlock* latch) {
      return phi.getIncomingValueForBlock(latch) == value;
    });
    return same ? value : nullptr;
  };
  for (const PHINode& phi : loop_.getHeader()->phis())
    if (next(phi) != nullptr) autonomous_.insert(&phi);
  for (bool changed = true; changed;) {
    changed = false;
    for (const PHINode& phi : loop_.getHeader()->phis())
      if (autonomous_.contains(&phi) && !is_autonomous(next(phi)))
        changed = autonomous_.erase(&phi);
  }
}

bool FreeValues::is_autonomous(const Value* value, unsigned depth) {
  if (loop_.isLoopInvariant(value)) return true;
  const auto* i = dyn_cast<Instruction>(value);
  if (i == nullptr || depth > deepest || ++looked_at_ > most_looked_at) return false;
  if (const auto* phi = dyn_cast<PHINode>(i))
    return phi->getParent() == loop_.getHeader() ? autonomous_.contains(phi)
                                                 : is_autonomous_choice(*phi, depth);
  return is_pure(*i) &&
         all_of(i->operands(), [&](const Use& o) { return is_autonomous(o.get(), depth + 1); });
}

// Between the last block that all ways to it have in common and this one, nothing else decides.
bool FreeValues::is_autonomous_choice(const PHINode& phi, unsigned depth) {
  const auto* node = dominators_.getNode(phi.getParent());
  if (node == nullptr || node->getIDom() == nullptr) return false;
  const BasicBlock* before = node->getIDom()->getBlock();
  if (!loop_.contains(before)) return false;
  Blocks open;
  open.insert(pred_begin(phi.getParent()), pred_end(phi.getParent()));
  open.insert(before);
  for (unsigned k = 0; k < open.size(); ++k) {
    const BasicBlock& block = *open[k];
    const Value* condition = condition_of(*block.getTerminator());
    if (open.size() > deepest || !isa<BranchInst, SwitchInst>(block.getTerminator()) ||
        (condition && !is_autonomous(condition, depth + 1)))
      return false;
    if (&block != before) open.insert(pred_begin(&block), pred_end(&block));
  }
  return all_of(phi.incoming_values(),
                [&](const Use& value) { return is_autonomous(value.get(), depth + 1); });
}

bool FreeValues::leaves_by_count(const BasicBlock& block) {
  const auto* br = dyn_cast<BranchInst>(block.getTerminator());
  return br && br->isConditional() &&
         loop_.contains(br->getSuccessor(0)) != loop_.contains(br->getSuccessor(1)) &&
         is_autonomous(br->getCondition());
}

// The block from which the loop is left to where a value is used, if that is one.
const BasicBlock* FreeValues::exit_before(const Use& use) {
  const auto* user = cast<Instruction>(use.getUser());
  const auto* phi = dyn_cast<PHINode>(user);
  const BasicBlock* at = phi ? phi->getIncomingBlock(use) : user->getParent();
  if (loop_.contains(at)) return at;
  SmallVector<Loop::Edge, 4> edges;
  loop_.getExitEdges(edges);
  for (const auto& [from, to] : edges)
    if (to->getSinglePredecessor() == from && dominators_.dominates(to, at)) return from;
  return nullptr;
}

FreeValues::Reach FreeValues::reach(const PHINode& phi) {
  Reach out;
  Values values;
  values.insert(&phi);
  for (unsigned k = 0; k < values.size() && !out.fails; ++k)
    for (const Use& use : values[k]->uses())
      out.fails = out.fails || values.size() > most || !add_use(use, values, out);
  return out;
}

bool FreeValues::add_use(const Use& use, Values& values, Reach& reached) {
  const auto* user = cast<Instruction>(use.getUser());
  if (!loop_.contains(user)) {
    // Where the loop is left by counting, the value is the same, however long that takes.
    if (const BasicBlock* from = exit_before(use); from && leaves_by_count(*from)) {
      reached.exits.insert(from);
      return is_autonomous(use.get());
    }
    // To be carried on to where it is only for hints again: in loops around this one.
    if (!isa<PHINode>(user) && !is_pure(*user)) return false;
    values.insert(user);
    return true;
  }
  if (isa<BranchInst, SwitchInst>(user)) return add_branch(*user, values, reached);
  if (isa<StoreInst>(user)) return add_store(*user, values);
  const auto* call = dyn_cast<CallBase>(user);
  const bool passes =
      call ? !is_hook(*call) && hints_.is_hint(*call) : isa<PHINode>(user) || is_pure(*user);
  if (passes) values.insert(user);
  return passes;
}

// A count may be kept in a variable that the compiler must leave there, to pass time.
bool FreeValues::add_store(const Instruction& store, Values& values) {
  const AllocaInst* slot = slot_of(store);
  if (slot == nullptr) return false;
  for (const User* user : slot->users())
    if (isa<LoadInst>(user)) values.insert(cast<Instruction>(user));
  return true;
}

// Of a way through the round that is chosen by such a value, nothing may be seen.
bool FreeValues::add_branch(const Instruction& branch, Values& values, Reach& reached) {
  const BasicBlock& block = *branch.getParent();
  if (any_of(successors(&block), [&](const BasicBlock* b) { return !loop_.contains(b); })) {
    reached.exits.insert(&block);
    return leaves_by_count(block);
  }
  const auto* node = joins_.getNode(const_cast<BasicBlock*>(&block));
  const auto* after = node ? node->getIDom() : nullptr;
  const BasicBlock* join = after ? after->getBlock() : nullptr;
  if (join == nullptr || !loop_.contains(join)) return false;
  const SmallVector<const BasicBlock*, 2> ways(successors(&block));
  const Blocks between = reached_before(join, ways, loop_);
  if (between.contains(loop_.getHeader())) return false;
  for (const BasicBlock* b : between) {
    for (const Instruction& i : *b)
      if (!hints_.is_hint(i) && !(isa<StoreInst>(i) && add_store(i, values))) return false;
    if (any_of(successors(b), [&](const BasicBlock* s) { return !loop_.contains(s); }))
      return false;
    for (const PHINode& phi : b->phis()) values.insert(&phi);
  }
  for (const PHINode& phi : join->phis()) values.insert(&phi);
  return true;
}

bool FreeValues::only_reads() {
  for (const BasicBlock* block : loop_.blocks()) {
    if (!isa<BranchInst, SwitchInst>(block->getTerminator())) return false;
    for (const BasicBlock* next : successors(block))
      if (!loop_.contains(next) && next->isEHPad()) return false;
    for (const Instruction& i : *block)
      if (can_come_back(i)) return false;
  }
  return true;
}

bool FreeValues::counts_in_vain() {
  unsigned looks = 0;
  for (const BasicBlock* block : loop_.blocks())
    for (const Instruction& i : *block) {
      if (!tells(i)) continue;
      if (!loop_.isLoopInvariant(i.getOperand(0))) return false;
      ++looks;
    }
  return !counts_ && looks > 0 && !autonomous_.empty() && only_reads();
}

bool FreeValues::repeats(ArrayRef<const BasicBlock*> exits) {
  if (!only_reads()) return false;
  bool all_at_end = true;
  for (const BasicBlock* exit : exits) {
    bool at_end = false;
    if (!is_in_each_round(*exit) || !is_at_boundary(*exit, at_end)) return false;
    all_at_end = all_at_end && at_end;
  }
  unsigned told = 0;
  for (const BasicBlock* block : loop_.blocks())
    for (const Instruction& i : *block)
      told += tells(i) ? 1 : isa<CallBase>(i) && !hints_.is_hint(i) ? 2 : 0;
  for (const Loop* inner : loop_)
    if (any_of(inner->blocks(), [&](const BasicBlock* b) { return has_told(*b, hints_); }))
      told += 2;  // once in each of its rounds
  return told > 0 && (!takes_along(exits) || (all_at_end && told == 1));
}

// What it does may be there when the next round begins: it is no mere read, nor an exchange that
// the loop is left after.
bool FreeValues::can_come_back(const Instruction& i) {
  if (hints_.only_reads(i)) return false;
  if (const auto* call = dyn_cast<CallBase>(&i))
    return !call->getCalledFunction() ||
           !call->getCalledFunction()->getName().starts_with("__heddle_compare_exchange") ||
           call->getCalledFunction()->getName().ends_with("_at");
  const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&i);
  const auto* br = dyn_cast<BranchInst>(i.getParent()->getTerminator());
  if (exchange == nullptr || br == nullptr || !br->isConditional()) return true;
  const auto* done = dyn_cast<ExtractValueInst>(br->getCondition());
  return done == nullptr || done->getAggregateOperand() != exchange ||
         done->getIndices() != ArrayRef<unsigned>{1} || loop_.contains(br->getSuccessor(0));
}

// Whether counters are asked there depends on nothing that was read: else the loop would be left by
// what was read and in which round.
bool FreeValues::is_in_each_round(const BasicBlock& exit) {
  SmallVector<BasicBlock*, 4> latches;
  loop_.getLoopLatches(latches);
  return all_of(latches,
                [&](const BasicBlock* latch) { return dominators_.dominates(&exit, latch); });
}

// The loop is left there between two rounds, as it were: nothing is told of from the beginning of
// the round up to there, or from there to its end, and it is not left otherwise in between.
bool FreeValues::is_at_boundary(const BasicBlock& exit, bool& at_end) {
  const BasicBlock* header = loop_.getHeader();
  const SmallVector<const BasicBlock*, 2> ways(successors(&exit));
  const Blocks behind = reached_before(header, ways, loop_);
  at_end = none_of(behind, [&](const BasicBlock* b) {
    const bool leaves =
        any_of(successors(b), [&](const BasicBlock* s) { return !loop_.contains(s); });
    return has_told(*b, hints_) || (leaves && !leaves_by_count(*b));
  });
  if (at_end) return true;
  Blocks before;
  before.insert(&exit);
  for (unsigned k = 0; k < before.size(); ++k)
    if (before[k] != header) before.insert(pred_begin(before[k]), pred_end(before[k]));
  return none_of(before, [&](const BasicBlock* b) { return has_told(*b, hints_); });
}

// Something that the round has read, or that depends on it, is used where the loop is left so.
bool FreeValues::takes_along(ArrayRef<const BasicBlock*> exits) {
  for (const BasicBlock* block : loop_.blocks())
    for (const Instruction& i : *block)
      for (const Use& use : i.uses()) {
        const auto* user = cast<Instruction>(use.getUser());
        if (loop_.contains(user) || is_autonomous(&i)) continue;
        const BasicBlock* from = exit_before(use);
        if (from == nullptr || is_contained(exits, from)) return true;
      }
  return false;
}

}  // namespace heddle::pass
