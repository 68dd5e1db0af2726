// Site descriptors as constants of the module.
#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Module.h>

#include <string>

#include "runtime/abi/abi.h"

namespace heddle::pass {

class Sites {
 public:
  explicit Sites(llvm::Module& module);

  // The place of an instruction.
  llvm::Constant* at(const llvm::Instruction& i, abi::SiteKind kind,
                     abi::Ordering ordering = abi::Ordering::none, std::uint64_t size = 0,
                     abi::Ordering failure = abi::Ordering::none);

  // A location in a function, null if it is not known: of the calls it was inlined through, the
  // innermost that is not in a header of the system.
  llvm::Constant* at(const llvm::DILocation* location, const llvm::Function& function,
                     abi::SiteKind kind, abi::Ordering ordering = abi::Ordering::none,
                     std::uint64_t size = 0, abi::Ordering failure = abi::Ordering::none);

  // Of a loop: its address tells it from all others, also from those at the same place.
  llvm::Constant* of_loop(const llvm::DILocation* start, const llvm::Function& function);

  // The place of an instruction, for people: "file.c:12".
  std::string text_of(const llvm::Instruction& i);
  std::string text_of(const llvm::DILocation* location, const llvm::Function& function);

 private:
  llvm::GlobalVariable* make(const llvm::DILocation* location, const llvm::Function& function,
                             abi::SiteKind kind, abi::Ordering ordering, std::uint64_t size,
                             abi::Ordering failure);
  const llvm::DILocation* users_place(const llvm::DILocation* location);
  llvm::Constant* text(llvm::StringRef s);
  bool is_system(const llvm::DIFile* file);

  llvm::Module& module_;
  llvm::StructType* type_;
  llvm::StringMap<llvm::Constant*> texts_;
  llvm::DenseMap<const llvm::DIFile*, bool> system_;
};

}  // namespace heddle::pass
