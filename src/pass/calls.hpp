// The functions that a module calls and does not define, and those that it defines: abi::Module.
#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <string>
#include <string_view>
#include <vector>

namespace heddle::pass {

class Calls {
 public:
  explicit Calls(llvm::Module& module);

  llvm::Constant* module() const { return record_; }
  // Of the function that the call goes to, among those of the record. 0: which one is not known.
  std::uint32_t number_of(const llvm::CallBase& call);
  // Of a place where the module does what the runtime is not told of: see abi::Module.
  std::uint32_t number_of_place(std::string_view what, llvm::StringRef which);
  // The same for a function of the module that has no hooks.
  std::uint32_t number_of_body(const llvm::Function& f);

  // To be called when all calls have their numbers: writes the record, and has it handed to the
  // runtime before anything of the module runs.
  void finish();

 private:
  std::uint32_t number_of(llvm::StringRef name);
  void add_those_with_address();
  std::vector<std::uint64_t> own() const;
  bool compares() const;
  llvm::Constant* constant(llvm::Constant* data, bool writable = false);
  void register_early();

  llvm::Module& module_;
  llvm::StructType* type_;
  llvm::GlobalVariable* record_;
  llvm::StringMap<std::uint32_t> numbers_;
  std::string names_;                   // each with a zero after it
  std::vector<std::uint8_t> may_have_;  // by number: may be called unnoticed
};

}  // namespace heddle::pass
