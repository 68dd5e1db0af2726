#include "pass/hints.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "pass/instrument.hpp"

namespace heddle::pass {

using namespace llvm;

namespace {

StringRef callee_of(const CallBase& call) {
  const Function* f = call.getCalledFunction();
  return f ? f->getName() : "";
}

// Functions of the system that only let time pass.
bool only_passes_time(StringRef name) {
  return name == "sched_yield" || name == "thrd_yield" || name == "pthread_yield" ||
         name == "usleep" || name == "heddle_yield";
}

bool has_loop(const Function& f) {
  const DominatorTree dominators(const_cast<Function&>(f));
  return !LoopInfo(dominators).empty();
}

}  // namespace

bool is_harmless_assembly(const CallBase& call) {
  const auto* assembly = dyn_cast<InlineAsm>(call.getCalledOperand());
  if (assembly == nullptr || !call.getType()->isVoidTy()) return false;
  const StringRef text = StringRef(assembly->getAsmString()).trim(" \t\n;");
  return text.empty() || text == "pause" || text == "rep; nop" || text == "rep;nop" ||
         text == "rep nop" || text == "nop";
}

bool is_harmless_intrinsic(const IntrinsicInst& i) {
  switch (i.getIntrinsicID()) {
    case Intrinsic::x86_sse2_pause:
    case Intrinsic::x86_sse2_mfence:
    case Intrinsic::x86_sse2_lfence:
    case Intrinsic::x86_sse_sfence:
      return true;
    default:
      return i.isAssumeLikeIntrinsic() || i.doesNotAccessMemory();
  }
}

bool is_hook(const CallBase& call) { return callee_of(call).starts_with("__heddle_"); }

bool tells(const Instruction& i) {
  const auto* call = dyn_cast<CallBase>(&i);
  if (call == nullptr || !is_hook(*call)) return false;
  const StringRef name = callee_of(*call);
  return name != "__heddle_call" && name != "__heddle_loop" && name != "__heddle_spin";
}

bool Hints::is_idle(const Instruction& i, bool reads) {
  if (i.isTerminator()) return isa<BranchInst, SwitchInst>(i);
  if (const auto* call = dyn_cast<CallBase>(&i)) return is_idle_call(*call, reads);
  // Whether others see what is read is told by a hook, which is looked at by itself.
  if (isa<LoadInst>(i)) return true;
  if (const auto* fence = dyn_cast<FenceInst>(&i))
    return reads || fence->getSyncScopeID() == SyncScope::SingleThread;
  return !isa<AllocaInst>(i) && !i.mayReadOrWriteMemory() && !i.mayHaveSideEffects();
}

bool Hints::is_idle_call(const CallBase& call, bool reads) {
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&call))
    return is_harmless_intrinsic(*intrinsic);
  if (call.isInlineAsm()) return is_harmless_assembly(call);
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr) return false;
  const StringRef name = callee->getName();
  if (is_hook(call))
    return !tells(call) || (reads && (name == "__heddle_read" || name == "__heddle_read_range" ||
                                      name == "__heddle_load" || name == "__heddle_fence"));
  if (callee->isDeclaration())
    return only_passes_time(name) || (call.doesNotAccessMemory() && call.doesNotThrow());
  return is_idle_function(*callee, reads);
}

// What it writes to its own variables is gone when it returns. Loops in it would be looked at for
// themselves while the one around the call is.
bool Hints::is_idle_function(const Function& f, bool reads) {
  const auto [at, fresh] = idle_[reads ? 1 : 0].try_emplace(&f, false);
  if (!fresh) return at->second;
  const auto is_own = [](const Instruction& i) {
    const auto* store = dyn_cast<StoreInst>(&i);
    return store && !is_told(i) && isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand()));
  };
  const bool idle = is_instrumented(f) && !f.isInterposable() && !f.isPresplitCoroutine() &&
                    (!reads || !has_loop(f)) && all_of(instructions(f), [&](const Instruction& i) {
                      return isa<AllocaInst, ReturnInst>(i) || is_own(i) || is_idle(i, reads);
                    });
  return idle_[reads ? 1 : 0][&f] = idle;
}

}  // namespace heddle::pass
