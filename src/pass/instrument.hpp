// Hooks before accesses to memory and calls of libraries.
#pragma once

#include <llvm/IR/IntrinsicInst.h>

#include "pass/assembly.hpp"
#include "pass/calls.hpp"
#include "pass/hooks.hpp"
#include "pass/privacy.hpp"
#include "pass/sites.hpp"
#include "runtime/abi/functions.h"

namespace heddle::pass {

// Whether a function has hooks: those that do not, such as naked ones, do what is not reported.
bool is_instrumented(const llvm::Function& f);

// A hook before this instruction tells of what it writes.
bool is_told(const llvm::Instruction& i);

class Instrumenter {
 public:
  Instrumenter(llvm::Module& module, const Hooks& hooks, Sites& sites, Calls& calls);

  void instrument_all();

 private:
  void instrument(llvm::Function& f);
  void instrument(llvm::Instruction& i);
  void instrument_call(llvm::CallBase& call);
  void instrument_library_call(llvm::CallBase& call);
  bool instrument_atomic_call(llvm::CallBase& call);
  // A function whose accesses are known, of the runtime or of a library.
  void instrument_known_call(llvm::CallBase& call, const abi::Function& row);
  void write_after(llvm::CallBase& call, const abi::Use& use);
  bool is_private_use(const llvm::CallBase& call, const abi::Use& use);
  bool is_idle_format(const llvm::CallBase& call, llvm::ArrayRef<abi::Use> told);
  llvm::Value* arguments_of(llvm::CallBase& call);
  void instrument_intrinsic(llvm::IntrinsicInst& i);
  void instrument_assembly(llvm::CallBase& call);
  bool has_several_steps(const llvm::CallBase& call, llvm::ArrayRef<AssemblyAccess> accesses);
  void hook_assembly(llvm::CallBase& call, const AssemblyAccess& access);
  // `tracked`: see is_tracked.
  void hook_call(llvm::Instruction& i, std::uint32_t number, bool tracked = false);
  // What is done there is not seen: `what` and `which` as in abi::Module.
  void tell_unseen(llvm::Instruction& i, std::string_view what, llvm::StringRef which);
  void end_of_life(llvm::IntrinsicInst& i);
  void mark_body(llvm::Function& f);

  // A plain or an atomic access, by its ordering.
  void access(llvm::Instruction& i, llvm::Value* address, llvm::Type* type, bool writes,
              bool is_volatile, llvm::AtomicOrdering ordering);
  void compare_exchange(llvm::AtomicCmpXchgInst& i);
  void range(llvm::Instruction& i, llvm::Value* address, llvm::Value* size, bool writes);

  void hook(llvm::Instruction& before, llvm::FunctionCallee hook,
            llvm::ArrayRef<llvm::Value*> arguments);
  // Of an instruction that writes: marks it as told.
  void hook_write(llvm::Instruction& before, llvm::FunctionCallee hook,
                  llvm::ArrayRef<llvm::Value*> arguments);
  static void mark_told(llvm::Instruction& i);
  std::uint64_t size_of(llvm::Type* type) const;

  llvm::Module& module_;
  const llvm::DataLayout& layout_;
  llvm::Type* word_;
  const Hooks& hooks_;
  Sites& sites_;
  Privacy privacy_;
  Calls& calls_;
};

}  // namespace heddle::pass
