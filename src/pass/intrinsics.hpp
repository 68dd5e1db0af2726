// What the compiler's intrinsic functions do to memory.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

#include "runtime/abi/abi.h"

namespace heddle::pass {

struct IntrinsicAccess {
  llvm::Value* address;
  llvm::Value* size;  // 0 where a mask leaves it out
  bool writes;
};

// All memory that it accesses plainly, each element by itself; nothing if that is not known. To be
// asked of those that have no instructions of their own: not of copies and fills.
std::optional<llvm::SmallVector<IntrinsicAccess, 8>> accesses_of_intrinsic(
    const llvm::IntrinsicInst& i, llvm::IRBuilder<>& builder);

// The order that it makes, `none` if it is no fence.
abi::Ordering fence_of(const llvm::IntrinsicInst& i);

// Has the runtime answer where the processor would give another answer in each run: time and random
// numbers. Whether it was such a call, which is deleted then.
bool make_deterministic(llvm::IntrinsicInst& i);

// Its result may differ from run to run all the same.
bool may_differ(const llvm::IntrinsicInst& i);

}  // namespace heddle::pass
