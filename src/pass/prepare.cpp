#include "pass/prepare.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
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
#include "pass/reads.hpp"

namespace heddle::pass {

using namespace llvm;

namespace {

constexpr unsigned small_function = 40;  // instructions

bool can_inline(const Function& f) {
  if (f.isDeclaration() || f.isVarArg() || f.isInterposable() ||
      f.hasFnAttribute(Attribute::NoInline) || f.hasFnAttribute(Attribute::OptimizeNone) ||
      f.isPresplitCoroutine())
    return false;
  unsigned count = 0;
  for (const Instruction& i : instructions(f)) {
    if (isa<DbgInfoIntrinsic, LifetimeIntrinsic>(i) || keeps_read(i)) continue;
    const auto* call = dyn_cast<CallBase>(&i);
    if (++count > small_function || (call && call->getCalledFunction() == &f)) return false;
  }
  return true;
}

constexpr int longest_shared = 40;  // code that is copied to separate ways, by LLVM's estimate

SimplifyCFGPass simplification_of_ways() {
  return SimplifyCFGPass(SimplifyCFGOptions().speculateBlocks(false).setSimplifyCondBranch(false));
}

// Variables of a coroutine are left where they are: those that live across a suspension become
// memory of the thread that resumes it.
void run_on_functions(Module& module, FunctionPassManager passes, ModuleAnalysisManager& analyses) {
  auto& functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  for (Function& f : module)
    if (!f.isDeclaration() && !f.isPresplitCoroutine())
      functions.invalidate(f, passes.run(f, functions));
}

// With simplifications that keep all accesses: none is made where the source makes none, as
// speculation does, no two are merged, and none is left out because its value is not used.
void promote_variables(Module& module, ModuleAnalysisManager& analyses) {
  FunctionPassManager passes;
  passes.addPass(KeepReads());
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(KeepReads());         // those that copies have become
  passes.addPass(InstSimplifyPass());  // folds what atomics do for each memory order
  passes.addPass(simplification_of_ways());
  passes.addPass(KeepReads());
  passes.addPass(InstSimplifyPass());  // values that come from one place only now
  run_on_functions(module, std::move(passes), analyses);
}

void inline_marked(Module& module, ModuleAnalysisManager& analyses) {
  ModulePassManager inliner;
  inliner.addPass(AlwaysInlinerPass(true));
  analyses.invalidate(module, inliner.run(module, analyses));
  promote_variables(module, analyses);
}

constexpr unsigned deepest_in_loops = 4;

bool passes_variable(const CallBase& call) {
  return any_of(call.args(), [](const Use& argument) {
    return isa<AllocaInst>(argument->stripInBoundsOffsets());
  });
}

// What a round does is looked at function by function: what a loop calls, it should have itself. So
// should its function what is done to variables that it might use: they need not be memory then.
bool mark_calls_in_loops(Module& module) {
  bool any = false;
  for (Function& f : module) {
    if (f.isDeclaration() || f.hasFnAttribute(Attribute::OptimizeNone)) continue;
    const DominatorTree dominators(f);
    const LoopInfo loops(dominators);
    if (loops.empty()) continue;
    for (Instruction& i : instructions(f)) {
      auto* call = dyn_cast<CallBase>(&i);
      const Function* callee = call ? call->getCalledFunction() : nullptr;
      if (callee == nullptr || callee == &f || call->isNoInline() ||
          !(loops.getLoopFor(i.getParent()) || passes_variable(*call)) || !can_inline(*callee))
        continue;
      call->addFnAttr(Attribute::AlwaysInline);
      any = true;
    }
  }
  return any;
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

void read_whole_arguments(Module& module, const Hooks& hooks, Sites& sites) {
  for (Function& f : module) {
    const unsigned bytes = looks_at_string(f.getName());
    if (bytes == 0 || f.arg_size() < 2) continue;
    for (User* user : f.users()) {
      auto* call = dyn_cast<CallBase>(user);
      if (call == nullptr || call->getCalledFunction() != &f) continue;
      IRBuilder<> builder(call);
      Value* string = call->getArgOperand(1);
      Value* data = builder.CreateLoad(builder.getPtrTy(), string);
      Value* length = builder.CreateLoad(builder.getInt64Ty(),
                                         builder.CreatePtrAdd(string, builder.getInt64(8)));
      builder.CreateCall(hooks.read_range,
                         {data, builder.CreateMul(length, builder.getInt64(bytes)),
                          sites.at(*call, abi::SiteKind::read)});
    }
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
    if (is_standard_library(f.getName()) && !f.hasAddressTaken() && can_inline(f))
      f.addFnAttr(Attribute::AlwaysInline);
  inline_marked(module, analyses);
  for (unsigned depth = 0; depth < deepest_in_loops && mark_calls_in_loops(module); ++depth)
    inline_marked(module, analyses);
  let_go_of_reads(module);
  analyses.invalidate(module, PreservedAnalyses::none());
}

void forget_effects(Module& module) {
  const auto forget = [](auto& of) {
    for (const Attribute::AttrKind kind :
         {Attribute::Memory, Attribute::Speculatable, Attribute::NoSync, Attribute::NoFree})
      of.removeFnAttr(kind);
  };
  for (Function& f : module) {
    if (f.isIntrinsic() || (f.isDeclaration() && f.doesNotAccessMemory()) || is_arithmetic(f))
      continue;
    forget(f);
    for (User* user : f.users())
      if (auto* call = dyn_cast<CallBase>(user)) forget(*call);
  }
}

void separate_ways(Module& module, ModuleAnalysisManager& analyses) {
  FunctionPassManager passes;
  passes.addPass(JumpThreadingPass(longest_shared));
  passes.addPass(InstSimplifyPass());
  passes.addPass(simplification_of_ways());
  passes.addPass(InstSimplifyPass());
  run_on_functions(module, std::move(passes), analyses);
}

}  // namespace heddle::pass
