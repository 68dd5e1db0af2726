// The runtime's hooks, as declarations in the module.
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::pass {

struct Hooks {
  explicit Hooks(llvm::Module& module);

  llvm::FunctionCallee read, write, write_in_loop, read_range, write_range;
  llvm::FunctionCallee load, store, store_in_loop, update, fence;
  llvm::FunctionCallee compare_exchange, compare_exchange_wide, compare_exchange_at;
  llvm::FunctionCallee call, before, private_arguments, loop, keep, forget, spin, round, again,
      left, end;
};

}  // namespace heddle::pass
