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
  // address stays in the function; otherwise null. Of coroutines there are none: what lives across
  // a suspension is memory of the thread that resumes it.
  const llvm::Value* private_variable(const llvm::Value* address);

  // Whether the address of a local variable may get to another thread.
  bool may_be_shared(const llvm::AllocaInst& variable) { return is_passed_on(variable); }

 private:
  // Of a variable, or of an argument that points to one.
  bool is_passed_on(const llvm::Value& pointer);

  llvm::DenseMap<const llvm::Value*, bool> passed_on_;
  llvm::DenseMap<const llvm::Value*, bool> escapes_;
};

}  // namespace heddle::pass
