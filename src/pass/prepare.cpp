#include "pass/prepare.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/EscapeEnumerator.h>

#include "pass/library.hpp"

namespace heddle::pass {

using namespace llvm;

namespace {

constexpr unsigned small_function = 40;  // instructions

bool can_inline(const Function& f) {
  if (f.isDeclaration() || f.isVarArg() || f.hasFnAttribute(Attribute::NoInline) ||
      f.hasFnAttribute(Attribute::OptimizeNone) || f.hasAddressTaken() ||
      !is_standard_library(f.getName()))
    return false;
  unsigned count = 0;
  for (const Instruction& i : instructions(f)) {
    if (isa<DbgInfoIntrinsic, LifetimeIntrinsic>(i)) continue;
    const auto* call = dyn_cast<CallBase>(&i);
    if (++count > small_function || (call && call->getCalledFunction() == &f)) return false;
  }
  return true;
}

constexpr int longest_shared = 40;  // code that is copied to separate ways, by LLVM's estimate

// Simplifications that keep all accesses: none is made where the source makes none, as speculation
// does, and no two are merged.
void add_simplification(FunctionPassManager& passes) {
  passes.addPass(InstSimplifyPass());  // folds what atomics do for each memory order
  passes.addPass(
      SimplifyCFGPass(SimplifyCFGOptions().speculateBlocks(false).setSimplifyCondBranch(false)));
  passes.addPass(InstSimplifyPass());  // values that come from one place only now
}

void run_on_functions(Module& module, FunctionPassManager passes, ModuleAnalysisManager& analyses) {
  ModulePassManager all;
  all.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
  analyses.invalidate(module, all.run(module, analyses));
}

void promote_variables(Module& module, ModuleAnalysisManager& analyses) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  add_simplification(passes);
  run_on_functions(module, std::move(passes), analyses);
}

}  // namespace

void wrap_atomic_functions(Module& module) {
  for (Function& f : module) {
    if (f.isDeclaration() || !is_atomic_function(f.getName())) continue;
    Type* none = Type::getVoidTy(module.getContext());
    const FunctionCallee begin = module.getOrInsertFunction("heddle_atomic_begin", none),
                         end = module.getOrInsertFunction("heddle_atomic_end", none);
    const DebugLoc place = f.getSubprogram()
                               ? DILocation::get(f.getContext(), f.getSubprogram()->getScopeLine(),
                                                 0, f.getSubprogram())
                               : nullptr;
    BasicBlock& entry = f.getEntryBlock();
    IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    builder.CreateCall(begin)->setDebugLoc(place);
    EscapeEnumerator exits(f);  // exceptions included
    while (IRBuilder<>* at = exits.Next()) at->CreateCall(end)->setDebugLoc(place);
  }
}

void ignore_size(Module& module) {
  for (Function& f : module) {
    f.removeFnAttr(Attribute::MinSize);
    f.removeFnAttr(Attribute::OptimizeForSize);
  }
}

void simplify(Module& module, ModuleAnalysisManager& analyses) {
  promote_variables(module, analyses);
  for (Function& f : module)
    if (can_inline(f)) f.addFnAttr(Attribute::AlwaysInline);
  ModulePassManager inliner;
  inliner.addPass(AlwaysInlinerPass(true));
  analyses.invalidate(module, inliner.run(module, analyses));
  promote_variables(module, analyses);
}

void separate_ways(Module& module, ModuleAnalysisManager& analyses) {
  FunctionPassManager passes;
  passes.addPass(JumpThreadingPass(longest_shared));
  add_simplification(passes);
  run_on_functions(module, std::move(passes), analyses);
}

}  // namespace heddle::pass
