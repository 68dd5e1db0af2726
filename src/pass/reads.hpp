// Reads whose values are not used. Simplifications delete them, and yet the source makes them: they
// race, and touch freed memory, like others.
#pragma once

#include <llvm/IR/Instruction.h>
#include <llvm/IR/PassManager.h>

namespace heddle::pass {

// Gives the value of each read a use, so that no simplification deletes it. Variables become
// registers as without. To be run before each pass that deletes what is unused.
class KeepReads : public llvm::PassInfoMixin<KeepReads> {
 public:
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

// One of these uses.
bool keeps_read(const llvm::Instruction& i);

// Takes them away again. The reads stay.
void let_go_of_reads(llvm::Module& module);

// Reads that have their hooks, and that nothing uses, are made all the same, to fault where they
// do.
void make_unused_reads(llvm::Module& module);

}  // namespace heddle::pass
