// Functions whose data races the source calls benign.
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::pass {

// The attribute that marks them for the rest of the pass.
inline constexpr char benign_races[] = "heddle-benign-races";

// Marks those that are annotated by HEDDLE_BENIGN_RACES of <heddle/heddle.h>.
void mark_benign_functions(llvm::Module& module);

}  // namespace heddle::pass
