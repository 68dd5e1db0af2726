// The LLVM plugin: calls a hook of the runtime before every access to memory that other threads
// could see.
//
// It runs at the start of the pipeline, after some passes of its own. What comes later cannot move
// accesses across the calls. At the end of the pipeline it would be too late: dead stores,
// forwarded loads and whole waiting loops are gone by then.
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>

#include "pass/benign.hpp"
#include "pass/calls.hpp"
#include "pass/instrument.hpp"
#include "pass/loops.hpp"
#include "pass/prepare.hpp"
#include "pass/reads.hpp"

namespace heddle::pass {
namespace {

using namespace llvm;

// These run when the program is linked, before the runtime can be called.
void leave_resolvers_alone(Module& module) {
  for (GlobalIFunc& f : module.ifuncs())
    if (Function* resolver = f.getResolverFunction())
      resolver->addFnAttr(Attribute::DisableSanitizerInstrumentation);
}

// Bodies of functions that a library has too: where they are not inlined, the library's would run,
// which has no hooks.
void keep_bodies(Module& module) {
  for (Function& f : module)
    if (f.hasAvailableExternallyLinkage()) f.setLinkage(GlobalValue::LinkOnceODRLinkage);
}

class Instrument : public PassInfoMixin<Instrument> {
 public:
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module& module, ModuleAnalysisManager& analyses) {
    // The module may come from a file that was instrumented before.
    if (module.getNamedMetadata("heddle.instrumented")) return PreservedAnalyses::all();
    module.getOrInsertNamedMetadata("heddle.instrumented");
    leave_resolvers_alone(module);
    keep_bodies(module);
    ignore_size(module);
    wrap_atomic_functions(module);
    mark_benign_functions(module);
    const Hooks hooks(module);
    Sites sites(module);
    read_whole_arguments(module, hooks, sites);
    simplify(module, analyses);
    Calls calls(module);
    Instrumenter(module, hooks, sites, calls).instrument_all();
    make_unused_reads(module);
    forget_effects(module);
    analyses.invalidate(module, PreservedAnalyses::none());
    separate_ways(module, analyses);
    Loops(module, hooks, sites, calls).instrument_all();
    calls.finish();
    return PreservedAnalyses::none();
  }
};

void set_up(PassBuilder& builder) {
  // So that clang knows it by name: -mllvm -print-after=heddle
  if (PassInstrumentationCallbacks* callbacks = builder.getPassInstrumentationCallbacks())
    callbacks->addClassToPassName(Instrument::name(), "heddle");
  builder.registerPipelineStartEPCallback(
      [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(Instrument()); });
}

}  // namespace
}  // namespace heddle::pass

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heddle", "0.1.0", heddle::pass::set_up};
}
