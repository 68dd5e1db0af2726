#include "pass/loops.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "pass/instrument.hpp"
#include "pass/landmark.hpp"
#include "pass/library.hpp"

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

// Only hints to the processor or the compiler.
bool is_harmless_assembly(const InlineAsm& assembly) {
  const StringRef text = StringRef(assembly.getAsmString()).trim(" \t\n;");
  return text.empty() || text == "pause" || text == "rep; nop" || text == "rep;nop" ||
         text == "rep nop";
}

bool is_clean_intrinsic(const IntrinsicInst& i) {
  switch (i.getIntrinsicID()) {
    case Intrinsic::x86_sse2_pause:
    case Intrinsic::x86_sse2_mfence:
    case Intrinsic::x86_sse2_lfence:
    case Intrinsic::x86_sse_sfence:
      return true;
    default:
      return isa<MemIntrinsic>(i) || i.isAssumeLikeIntrinsic() || i.doesNotAccessMemory();
  }
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

// Hooks change nothing; what they tell of is looked at by itself.
bool is_hook(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  return callee != nullptr && callee->getName().starts_with("__heddle_");
}

bool can_split(const BasicBlock& latch) {
  return isa<BranchInst, SwitchInst, InvokeInst>(latch.getTerminator());
}

// A block for the way from the latch to the header alone.
BasicBlock* way_back(BasicBlock& latch, BasicBlock& header) {
  if (latch.getSingleSuccessor() != nullptr) return &latch;
  BasicBlock* way = BasicBlock::Create(header.getContext(), "heddle.back", header.getParent());
  IRBuilder<>(way).CreateBr(&header)->setDebugLoc(latch.getTerminator()->getDebugLoc());
  for (PHINode& phi : header.phis()) {
    phi.addIncoming(phi.getIncomingValueForBlock(&latch), way);
    phi.removeIncomingValueIf([&](unsigned k) { return phi.getIncomingBlock(k) == &latch; }, false);
  }
  latch.getTerminator()->replaceSuccessorWith(&header, way);
  return way;
}

}  // namespace

void Loops::instrument_all() {
  for (Function& f : module_)
    if (is_instrumented(f)) instrument(f);
}

void Loops::instrument(Function& f) {
  struct Found {
    BasicBlock* header;
    SmallVector<BasicBlock*, 4> latches;
    DebugLoc start;
  };
  SmallVector<Found, 8> found;  // before anything is changed
  const DominatorTree dominators(f);
  const LoopInfo info(dominators);
  for (const Loop* loop : info.getLoopsInPreorder())
    if (carries_nothing({*loop, dominators})) {
      found.push_back({loop->getHeader(), {}, loop->getStartLoc()});
      loop->getLoopLatches(found.back().latches);
    }
  for (const Found& l : found) add_hooks(*l.header, l.latches, l.start.get());
}

bool Loops::carries_nothing(const Round& round) {
  const BasicBlock& header = *round.loop.getHeader();
  SmallVector<BasicBlock*, 4> latches;
  round.loop.getLoopLatches(latches);
  if (header.isEHPad() || !all_of(latches, [](const BasicBlock* b) { return can_split(*b); }))
    return false;
  for (const PHINode& phi : header.phis())
    if (!is_constant(phi, round.loop) && !(can_compare(phi) && may_wait(round.loop))) return false;
  for (const BasicBlock* block : round.loop.blocks())
    for (const Instruction& i : *block)
      if (isa<AllocaInst>(i) || !is_clean(i) || !forgets(i, round)) return false;
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
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&call)) return is_clean_intrinsic(*intrinsic);
  if (const auto* assembly = dyn_cast<InlineAsm>(call.getCalledOperand()))
    return is_told(call) || (call.getType()->isVoidTy() && is_harmless_assembly(*assembly));
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

void Loops::add_hooks(BasicBlock& header, ArrayRef<BasicBlock*> latches, const DILocation* start) {
  SmallVector<PHINode*, 4> carried;
  for (PHINode& phi : header.phis())
    if (can_compare(phi) && !is_dead(phi)) carried.push_back(&phi);
  SmallVector<BasicBlock*, 4> ways;
  for (BasicBlock* latch : latches) ways.push_back(way_back(*latch, header));
  PHINode* enters = PHINode::Create(Type::getInt1Ty(header.getContext()), 2, "heddle.enters",
                                    header.getFirstNonPHIIt());
  for (BasicBlock* before : predecessors(&header))
    enters->addIncoming(ConstantInt::getBool(header.getContext(), !is_contained(ways, before)),
                        before);
  Constant* site = sites_.of_loop(start, *header.getParent());
  IRBuilder<> builder(&header, header.getFirstInsertionPt());
  builder.SetCurrentDebugLocation(start);
  Landmark landmark(builder, builder.CreateCall(hooks_.loop, {enters, site}), carried);
  for (BasicBlock* way : ways) {
    builder.SetInsertPoint(way->getTerminator());
    builder.SetCurrentDebugLocation(start);
    builder.CreateCall(hooks_.spin, {landmark.reached(builder), site});
  }
  landmark.connect(ways);
}

}  // namespace heddle::pass
