#include "pass/hooks.hpp"

namespace heddle::pass {

using namespace llvm;

Hooks::Hooks(Module& module) {
  LLVMContext& context = module.getContext();
  Type *none = Type::getVoidTy(context), *pointer = PointerType::getUnqual(context),
       *word = Type::getInt64Ty(context);
  const auto declare = [&](const char* name, Type* result, ArrayRef<Type*> parameters) {
    FunctionCallee hook =
        module.getOrInsertFunction(name, FunctionType::get(result, parameters, false));
    // That they throw nothing is all the optimiser may know: for all else they are opaque, so that
    // no access moves across them.
    if (auto* f = dyn_cast<Function>(hook.getCallee())) f->setDoesNotThrow();
    return hook;
  };
  read = declare("__heddle_read", none, {pointer, pointer});
  write = declare("__heddle_write", none, {pointer, pointer});
  read_range = declare("__heddle_read_range", none, {pointer, word, pointer});
  write_range = declare("__heddle_write_range", none, {pointer, word, pointer});
  load = declare("__heddle_load", none, {pointer, pointer});
  store = declare("__heddle_store", none, {pointer, pointer});
  write_in_loop = declare("__heddle_write_in_loop", none, {pointer, pointer});
  store_in_loop = declare("__heddle_store_in_loop", none, {pointer, pointer});
  update = declare("__heddle_update", none, {pointer, pointer});
  compare_exchange = declare("__heddle_compare_exchange", none, {pointer, pointer, word});
  compare_exchange_wide =
      declare("__heddle_compare_exchange_wide", none, {pointer, pointer, word, word});
  compare_exchange_at = declare("__heddle_compare_exchange_at", none, {pointer, pointer, pointer});
  fence = declare("__heddle_fence", none, {pointer});
  call = declare("__heddle_call", none, {pointer, pointer, Type::getInt32Ty(context)});
  before = declare("__heddle_before", none, {pointer, Type::getInt32Ty(context), pointer});
  private_arguments = declare("__heddle_private", none, {Type::getInt32Ty(context)});
  end = declare("__heddle_end", none, {pointer, pointer});
  loop = declare("__heddle_loop", word, {Type::getInt1Ty(context), pointer});
  keep = declare("__heddle_keep", none, {pointer, word});
  forget = declare("__heddle_forget", none, {pointer, word});
  spin = declare("__heddle_spin", none, {word, pointer});
  round = declare("__heddle_round", word, {Type::getInt1Ty(context), pointer});
  again = declare("__heddle_again", none, {word, pointer});
  left = declare("__heddle_left", none, {pointer});
}

}  // namespace heddle::pass
