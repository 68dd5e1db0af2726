#include "pass/reads.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include "pass/privacy.hpp"

namespace heddle::pass {

using namespace llvm;

namespace {

constexpr char keeper[] = "heddle.keep";

bool can_be_argument(const Type& type) {
  return !type.isVoidTy() && !type.isTokenTy() && !type.isX86_AMXTy();
}

// It reads memory that others may see, or calls what might. (The end of a block is not deleted.)
bool is_read(const Instruction& i, Privacy& privacy) {
  if (!can_be_argument(*i.getType()) || i.isTerminator()) return false;
  if (const auto* load = dyn_cast<LoadInst>(&i))
    return privacy.private_variable(load->getPointerOperand()) == nullptr;
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&i))
    return i.mayReadFromMemory() && !intrinsic->isAssumeLikeIntrinsic();
  return isa<CallBase>(i);
}

bool is_kept(const Instruction& i) {
  return any_of(i.users(), [](const User* user) { return keeps_read(*cast<Instruction>(user)); });
}

FunctionCallee keeper_of(Module& module) {
  LLVMContext& c = module.getContext();
  FunctionCallee callee =
      module.getOrInsertFunction(keeper, FunctionType::get(Type::getVoidTy(c), true));
  auto* f = cast<Function>(callee.getCallee());
  f->setDoesNotThrow();
  f->setWillReturn();
  f->setMemoryEffects(MemoryEffects::inaccessibleMemOnly(ModRefInfo::Mod));
  return callee;
}

// What was computed from nothing but these; reads stay.
void delete_unused(SmallVectorImpl<WeakTrackingVH>& open) {
  while (!open.empty()) {
    auto* i = cast_or_null<Instruction>(open.pop_back_val());
    if (i == nullptr || !isInstructionTriviallyDead(i) || i->mayReadFromMemory() ||
        isa<CallBase>(i))
      continue;
    for (Value* operand : i->operands())
      if (auto* used = dyn_cast<Instruction>(operand); used && used != i && used->hasOneUse())
        open.push_back(used);
    salvageDebugInfo(*i);
    i->eraseFromParent();
  }
}

}  // namespace

bool keeps_read(const Instruction& i) {
  const auto* call = dyn_cast<CallInst>(&i);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee != nullptr && callee->getName() == keeper;
}

PreservedAnalyses KeepReads::run(Function& f, FunctionAnalysisManager&) {
  Privacy privacy;
  SmallVector<Instruction*, 64> reads;
  for (Instruction& i : instructions(f))
    if (is_read(i, privacy) && !is_kept(i)) reads.push_back(&i);
  if (reads.empty()) return PreservedAnalyses::all();
  const FunctionCallee callee = keeper_of(*f.getParent());
  for (Instruction* read : reads) {
    CallInst* keep = CallInst::Create(callee, {read}, "", std::next(read->getIterator()));
    if (read->getType()->isPointerTy()) keep->addParamAttr(0, Attribute::NoCapture);
    keep->setDebugLoc(read->getDebugLoc());
  }
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

void let_go_of_reads(Module& module) {
  Function* f = module.getFunction(keeper);
  if (f == nullptr) return;
  SmallVector<WeakTrackingVH, 64> unused;
  while (!f->use_empty()) {
    auto* keep = cast<CallInst>(f->user_back());
    auto* value = dyn_cast<Instruction>(keep->getArgOperand(0));
    keep->eraseFromParent();
    if (value) unused.push_back(value);
  }
  f->eraseFromParent();
  delete_unused(unused);
}

void make_unused_reads(Module& module) {
  for (Function& f : module)
    for (Instruction& i : instructions(f))
      if (auto* load = dyn_cast<LoadInst>(&i); load && load->use_empty() && load->isSimple())
        load->setVolatile(true);
}

}  // namespace heddle::pass
