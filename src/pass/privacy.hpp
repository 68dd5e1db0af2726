// Which memory no other thread can see.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

namespace heddle::pass {

class Privacy {
 public:
  // Accesses there need no hook: no other thread writes it, nor sees what is written.
  bool is_private(const llvm::Value* address);

  // The local variable, or the argument that was passed by copy, that this points into, if its
  // address stays in the function; otherwise null.
  const llvm::Value* private_variable(const llvm::Value* address);

 private:
  llvm::DenseMap<const llvm::Value*, bool> escapes_;
};

}  // namespace heddle::pass
