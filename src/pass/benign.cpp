#include "pass/benign.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>

#include "runtime/abi/abi.h"

namespace heddle::pass {

using namespace llvm;

namespace {

StringRef text_of(const Value* pointer) {
  const auto* global = dyn_cast<GlobalVariable>(pointer->stripPointerCasts());
  if (!global || !global->hasInitializer()) return "";
  const auto* data = dyn_cast<ConstantDataSequential>(global->getInitializer());
  return data && data->isCString() ? data->getAsCString() : "";
}

}  // namespace

void mark_benign_functions(Module& module) {
  const GlobalVariable* all = module.getGlobalVariable("llvm.global.annotations");
  const auto* list = all ? dyn_cast<ConstantArray>(all->getInitializer()) : nullptr;
  if (list == nullptr) return;
  for (const Use& entry : list->operands()) {
    const auto* fields = dyn_cast<ConstantStruct>(entry.get());
    if (fields == nullptr || fields->getNumOperands() < 2) continue;
    auto* function = dyn_cast<Function>(fields->getOperand(0)->stripPointerCasts());
    if (function && text_of(fields->getOperand(1)) == StringRef(abi::benign_annotation))
      function->addFnAttr(benign_races);
  }
}

}  // namespace heddle::pass
