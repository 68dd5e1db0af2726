// What inline assembly does to memory, where that can be told from its text: single instructions of
// x86, as libraries of atomic operations have them.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>

#include <optional>

namespace heddle::pass {

struct AssemblyAccess {
  // `change` reads and writes, and is no single step; `update` and `compare_exchange` are atomic.
  enum Kind { read, write, change, update, compare_exchange, full_fence, read_fence, write_fence };
  Kind kind;
  llvm::Value* address = nullptr;
  std::uint64_t size = 0;
  llvm::Value* expected = nullptr;       // of a compare-exchange, 64 bits wide
  llvm::Value* expected_high = nullptr;  // if that is of 16 bytes
};

// All that it does to memory, in order; nothing if that cannot be told. Addresses are computed
// where the builder is.
std::optional<llvm::SmallVector<AssemblyAccess, 2>> accesses_of_assembly(
    const llvm::CallBase& call, llvm::IRBuilder<>& builder);

// It may access memory, for all that its operands, its clobbers and its text say.
bool may_access_memory(const llvm::CallBase& assembly);

// Its results may differ from run to run: time, random numbers and what the processor is.
bool may_differ(const llvm::CallBase& assembly);

}  // namespace heddle::pass
