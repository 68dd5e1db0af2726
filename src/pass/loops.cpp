#include "pass/loops.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "pass/free_values.hpp"
#include "pass/instrument.hpp"
#include "pass/landmark.hpp"
#include "pass/library.hpp"
#include "pass/shapes.hpp"

namespace heddle::pass {

using namespace llvm;

namespace {

// Nothing but further values like it depends on this value.
bool is_dead(const PHINode& phi) {
  SmallVector<const Instruction*, 8> open = {&phi};
  SmallPtrSet<const Instruction*, 8> seen = {&phi};
  while (!open.empty())
    for (const User* user : open.pop_back_val()->users()) {
      const auto* i = cast<Instruction>(user);
      if (i->isTerminator() || i->isEHPad() || i->mayReadOrWriteMemory() ||
          i->mayHaveSideEffects() || seen.size() > 100)
        return false;
      if (seen.insert(i).second) open.push_back(i);
    }
  return true;
}

// The value is the same in each round, or does not matter.
bool is_constant(const PHINode& phi, const Loop& loop) {
  const Value* first = nullptr;
  for (const Value* value : phi.incoming_values()) {
    if (value == &phi) continue;
    if (first != nullptr && value != first) return is_dead(phi);
    first = value;
  }
  return first == nullptr || loop.isLoopInvariant(first) || is_dead(phi);
}

// It never comes back to a value that it had: a counter.
bool is_counter(const PHINode& phi, const Loop& loop) {
  if (!phi.getType()->isIntegerTy() || phi.getType()->getIntegerBitWidth() < 32) return false;
  for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
    if (!loop.contains(phi.getIncomingBlock(k))) continue;
    const auto* next = dyn_cast<BinaryOperator>(phi.getIncomingValue(k));
    const auto* by = next ? dyn_cast<ConstantInt>(next->getOperand(1)) : nullptr;
    if (by == nullptr || by->isZero() || next->getOperand(0) != &phi ||
        (next->getOpcode() != Instruction::Add && next->getOpcode() != Instruction::Sub))
      return false;
  }
  return true;
}

bool can_compare(const PHINode& phi) { return phi.getType()->isIntOrPtrTy(); }

// Where values are carried from round to round, most loops do not wait for anything. Those that do
// look at something that others change.
bool may_wait(const Loop& loop) {
  return any_of(loop.blocks(), [](const BasicBlock* block) {
    return any_of(*block, [](const Instruction& i) {
      return i.isAtomic() || i.isVolatile() || (isa<CallBase>(i) && !isa<IntrinsicInst>(i));
    });
  });
}

// In each round, all uses come after the variable begins to live anew.
bool begins_anew(const AllocaInst& variable, const Loop& loop, const DominatorTree& dominators) {
  SmallVector<const Instruction*, 2> starts;
  for (const User* user : variable.users())
    if (const auto* i = dyn_cast<LifetimeIntrinsic>(user);
        i && i->getIntrinsicID() == Intrinsic::lifetime_start && loop.contains(i))
      starts.push_back(i);
  return all_of(variable.users(), [&](const User* user) {
    const auto* i = cast<Instruction>(user);
    if (isa<LifetimeIntrinsic>(i)) return true;
    // A pointer into it that is made before the loop could be used in it.
    if (!loop.contains(i)) return !dominators.dominates(i->getParent(), loop.getHeader());
    return any_of(starts, [&](const Instruction* start) { return dominators.dominates(start, i); });
  });
}

// It is used in the loop only, and begins to live anew in each round.
bool means_nothing_between(const AllocaInst& variable, const Loop& loop,
                           const DominatorTree& dominators) {
  return begins_anew(variable, loop, dominators) && all_of(variable.users(), [&](const User* user) {
           return isa<LifetimeIntrinsic>(user) || loop.contains(cast<Instruction>(user));
         });
}

// What it leaves in a local variable can be told by a hook of its own.
bool can_be_kept(const Instruction& i) {
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(i)) return true;
  const auto* store = dyn_cast<StoreInst>(&i);
  return store && store->getValueOperand()->getType()->isSized();
}

bool can_split(const BasicBlock& latch) {
  return isa<BranchInst, SwitchInst, InvokeInst>(latch.getTerminator());
}

// A block for the way from the one to the other alone.
BasicBlock* make_way(BasicBlock& from, BasicBlock& to) {
  if (from.getSingleSuccessor() != nullptr) return &from;
  BasicBlock* way = BasicBlock::Create(to.getContext(), "heddle.way", to.getParent());
  IRBuilder<>(way).CreateBr(&to)->setDebugLoc(from.getTerminator()->getDebugLoc());
  for (PHINode& phi : to.phis()) {
    phi.addIncoming(phi.getIncomingValueForBlock(&from), way);
    phi.removeIncomingValueIf([&](unsigned k) { return phi.getIncomingBlock(k) == &from; }, false);
  }
  from.getTerminator()->replaceSuccessorWith(&to, way);
  return way;
}

}  // namespace

// The way out of a loop may be the way back of one around it, which has got its block already.
BasicBlock* Loops::way_between(BasicBlock& from, BasicBlock& to) {
  if (!is_contained(successors(&from), &to))
    for (BasicBlock* next : successors(&from))
      if (ways_.contains(next) && next->getSingleSuccessor() == &to) return next;
  BasicBlock* way = make_way(from, to);
  if (way != &from) ways_.insert(way);
  return way;
}

void Loops::instrument_all() {
  for (Function& f : module_)
    if (is_instrumented(f)) instrument(f);
}

void Loops::instrument(Function& f) {
  join_first_rounds(f);
  rotate_loops(f, hints_);
  SmallSetVector<Instruction*, 8> kept;
  SmallVector<Found, 8> found;  // before hooks change anything
  const DominatorTree dominators(f);
  const PostDominatorTree joins(f);
  const LoopInfo info(dominators);
  const auto is_told_of = [&](AllocaInst& variable) {  // by hooks, those of inner loops too
    return !privacy_.private_variable(&variable) || any_of(variable.users(), [&](User* user) {
      return kept.contains(cast<Instruction>(user));
    });
  };
  SmallPtrSet<const Loop*, 4> around;  // one that is left by counting
  const auto outer_first = info.getLoopsInPreorder();
  for (const Loop* loop : reverse(outer_first)) {
    FreeValues free(*loop, dominators, joins, hints_, !around.contains(loop),
                    [&](const PHINode& phi) { return is_constant(phi, *loop); });
    const Round round{*loop, dominators, free};
    if (!carries_nothing(round)) {
      if (free.counts_in_vain()) tell_of_counting(*loop);
      continue;
    }
    if (free.counts())
      for (const Loop* l = loop->getParentLoop(); l != nullptr; l = l->getParentLoop())
        around.insert(l);
    for (BasicBlock* block : loop->blocks())
      for (Instruction& i : *block)
        if (!forgets(i, round)) kept.insert(&i);
    found.push_back({loop->getHeader(), {}, {}, {}, {}, loop->getStartLoc()});
    Found& l = found.back();
    for (Instruction& i : f.getEntryBlock())
      if (auto* variable = dyn_cast<AllocaInst>(&i);
          variable && is_told_of(*variable) && means_nothing_between(*variable, *loop, dominators))
        l.forgotten.push_back(variable);
    loop->getLoopLatches(l.latches);
    if (free.counts()) loop->getExitEdges(l.exits);
    for (PHINode& phi : loop->getHeader()->phis())
      if (can_compare(phi) && !is_constant(phi, *loop) && free.is_free(phi) == free.counts())
        l.carried.push_back(&phi);
    for (BasicBlock* block : loop->blocks()) adapt(*block);
  }
  for (Instruction* i : kept) add_hook_of_kept(*i);
  for (const Found& l : reverse(found)) add_hooks(l);
}

void Loops::tell_of_counting(const Loop& loop) {
  Instruction& last = *loop.getHeader()->getTerminator();
  Constant* site = sites_.of_loop(loop.getStartLoc().get(), *last.getFunction());
  IRBuilder<> builder(&last);
  builder
      .CreateCall(
          hooks_.call,
          {site, calls_.module(),
           builder.getInt32(calls_.number_of_place(
               abi::counted_loop, sites_.text_of(loop.getStartLoc().get(), *last.getFunction())))})
      ->setDebugLoc(loop.getStartLoc());
}

void Loops::add_hook_of_kept(Instruction& i) {
  IRBuilder<> builder(&i);
  const bool exchanges = isa<AtomicRMWInst, AtomicCmpXchgInst>(i);
  Value* address = exchanges ? i.getOperand(0) : getPointerOperand(&i);
  const Type* type = exchanges ? i.getOperand(1)->getType() : i.getOperand(0)->getType();
  const auto size = module_.getDataLayout().getTypeStoreSize(const_cast<Type*>(type));
  builder.CreateCall(hooks_.keep, {address, builder.getInt64(size.getFixedValue())})
      ->setDebugLoc(i.getDebugLoc());
}

void Loops::adapt(BasicBlock& block) {
  for (Instruction& i : block) {
    auto* call = dyn_cast<CallBase>(&i);
    Function* callee = call ? call->getCalledFunction() : nullptr;
    if (callee == nullptr) continue;
    if (callee->getName() == "__heddle_store") call->setCalledFunction(hooks_.store_in_loop);
    if (callee->getName() == "__heddle_write") call->setCalledFunction(hooks_.write_in_loop);
    if (callee->isDeclaration() || !adapted_.insert(callee).second) continue;
    if (has_shown_variable(*callee)) callee->addFnAttr(Attribute::NoInline);
    for (BasicBlock& b : *callee) adapt(b);
  }
}

bool Loops::has_shown_variable(const Function& f) {
  return !f.hasFnAttribute(Attribute::AlwaysInline) &&
         any_of(instructions(f), [&](const Instruction& i) {
           return isa<AllocaInst>(i) && !privacy_.private_variable(&i);
         });
}

bool Loops::carries_nothing(const Round& round) {
  const BasicBlock& header = *round.loop.getHeader();
  SmallVector<BasicBlock*, 4> latches;
  round.loop.getLoopLatches(latches);
  if (header.isEHPad() || !all_of(latches, [](const BasicBlock* b) { return can_split(*b); }))
    return false;
  for (const PHINode& phi : header.phis()) {
    if (is_constant(phi, round.loop) || round.free.is_free(phi)) continue;
    if (!can_compare(phi) || !may_wait(round.loop) || is_counter(phi, round.loop)) return false;
  }
  for (const BasicBlock* block : round.loop.blocks())
    for (const Instruction& i : *block)
      if (isa<AllocaInst>(i) || !is_clean(i) ||
          !(forgets(i, round) || (can_be_kept(i) && may_wait(round.loop))))
        return false;
  return true;
}

bool Loops::forgets(const Instruction& i, const Round& round) {
  if (const auto* store = dyn_cast<StoreInst>(&i))
    return is_told(i) || forgets(store->getPointerOperand(), round);
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(i))
    return is_told(i) || forgets(i.getOperand(0), round);
  if (const auto* memory = dyn_cast<MemIntrinsic>(&i))
    return is_told(i) || forgets(memory->getRawDest(), round);
  const auto* call = dyn_cast<CallBase>(&i);
  if (call == nullptr || isa<IntrinsicInst>(call) || is_hook(*call)) return true;
  if (call->isInlineAsm() && is_told(i)) return true;
  return all_of(call->args(), [&](const Use& argument) {
    if (!argument->getType()->isPointerTy()) return true;
    // What lies behind these is not known.
    if (isa<PHINode, SelectInst>(getUnderlyingObject(argument, 0))) return false;
    return !privacy_.private_variable(argument) || forgets(argument, round);
  });
}

bool Loops::forgets(const Value* address, const Round& round) {
  const auto* variable = dyn_cast<AllocaInst>(getUnderlyingObject(address, 0));
  return variable && begins_anew(*variable, round.loop, round.dominators);
}

bool Loops::is_clean(const Instruction& i) {
  if (i.mayWriteToMemory() && i.hasMetadata(LLVMContext::MD_nosanitize)) return false;
  const auto* call = dyn_cast<CallBase>(&i);
  return call == nullptr || is_clean(*call);
}

bool Loops::is_clean(const CallBase& call) {
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&call))
    return isa<MemIntrinsic>(call) || is_harmless_intrinsic(*intrinsic);
  if (call.isInlineAsm()) return is_told(call) || is_harmless_assembly(call);
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr) return false;
  if (call.doesNotReturn() || call.doesNotAccessMemory()) return true;
  return callee->isDeclaration() ? is_tracked(callee->getName()) : is_clean(*callee);
}

bool Loops::is_clean(const Function& f) {
  const auto [at, fresh] = clean_.try_emplace(&f, false);
  if (!fresh) return at->second;
  const bool clean = is_instrumented(f) && !f.isInterposable() &&
                     all_of(instructions(f), [&](const Instruction& i) { return is_clean(i); });
  return clean_[&f] = clean;
}

void Loops::forget(ArrayRef<AllocaInst*> variables, IRBuilder<>& at) {
  for (AllocaInst* variable : variables)
    if (const auto size = variable->getAllocationSize(module_.getDataLayout());
        size && !size->isScalable())
      at.CreateCall(hooks_.forget, {variable, at.getInt64(size->getFixedValue())});
}

void Loops::add_hooks(const Found& found) {
  BasicBlock& header = *found.header;
  const DILocation* start = found.start.get();
  const bool counts = !found.exits.empty();
  SmallVector<BasicBlock*, 4> ways;
  for (BasicBlock* latch : found.latches) ways.push_back(way_between(*latch, header));
  PHINode* enters = PHINode::Create(Type::getInt1Ty(header.getContext()), 2, "heddle.enters",
                                    header.getFirstNonPHIIt());
  for (BasicBlock* before : predecessors(&header))
    enters->addIncoming(ConstantInt::getBool(header.getContext(), !is_contained(ways, before)),
                        before);
  Constant* site = sites_.of_loop(start, *header.getParent());
  for (const auto& [from, to] : found.exits) {
    BasicBlock* way = way_between(*from, *to);
    IRBuilder<> builder(way, way->getFirstInsertionPt());
    builder.CreateCall(hooks_.left, {site})->setDebugLoc(start);
  }
  IRBuilder<> builder(&header, header.getFirstInsertionPt());
  builder.SetCurrentDebugLocation(start);
  forget(found.forgotten, builder);
  Value* differs = builder.CreateCall(counts ? hooks_.round : hooks_.loop, {enters, site});
  Landmark landmark(builder, differs, found.carried);
  for (BasicBlock* way : ways) {
    builder.SetInsertPoint(way->getTerminator());
    builder.SetCurrentDebugLocation(start);
    forget(found.forgotten, builder);
    Value* same = builder.CreateZExt(landmark.reached(builder), builder.getInt64Ty());
    builder.CreateCall(counts ? hooks_.again : hooks_.spin, {same, site});
  }
  landmark.connect(ways);
}

}  // namespace heddle::pass
