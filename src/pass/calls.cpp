#include "pass/calls.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "pass/instrument.hpp"
#include "runtime/abi/abi.h"

namespace heddle::pass {

using namespace llvm;

namespace {

// Clang marks names that come from an asm label.
StringRef plain_name(const GlobalValue& value) {
  StringRef name = value.getName();
  name.consume_front("\1");
  return name;
}

// It runs when the program is linked, before there is any thread.
bool is_resolver(const Function& f) {
  return any_of(f.getParent()->ifuncs(),
                [&](const GlobalIFunc& i) { return i.getResolverFunction() == &f; });
}

std::uint64_t hash_of(StringRef name) {
  return abi::name_hash(std::string_view(name.data(), name.size()));
}

}  // namespace

Calls::Calls(Module& module) : module_(module) {
  LLVMContext& c = module.getContext();
  Type *pointer = PointerType::getUnqual(c), *number = Type::getInt32Ty(c);
  type_ = StructType::create({pointer, pointer, pointer, number, number, number, number, number},
                             "heddle.module");
  record_ = new GlobalVariable(module, type_, false, GlobalValue::InternalLinkage, nullptr,
                               "heddle.module");
  number_of("");
}

std::uint32_t Calls::number_of(StringRef name) {
  const auto [known, fresh] =
      numbers_.try_emplace(name, static_cast<std::uint32_t>(may_have_.size()));
  if (fresh) {
    names_ += name;
    names_ += '\0';
    may_have_.push_back(0);
  }
  return known->second;
}

std::uint32_t Calls::number_of(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  return callee != nullptr && callee->isDeclaration() ? number_of(plain_name(*callee)) : 0;
}

std::uint32_t Calls::number_of_place(std::string_view what, StringRef which) {
  return number_of((Twine(StringRef(what)) + " " + which).str());
}

std::uint32_t Calls::number_of_body(const Function& f) {
  std::string name = plain_name(f).str();
  if (const DISubprogram* program = f.getSubprogram())
    name += (" (" + program->getFilename() + ":" + Twine(program->getLine()) + ")").str();
  return number_of_place(abi::unseen_function, name);
}

// A function whose address is known can be called by way of it.
void Calls::add_those_with_address() {
  for (const Function& f : module_)
    if (!f.isDeclaration() && !is_instrumented(f) && f.hasAddressTaken() && !is_resolver(f))
      may_have_[number_of_body(f)] = abi::called_by_address;
  for (const Function& f : module_)
    if (f.isDeclaration() && !f.isIntrinsic() && f.hasAddressTaken() &&
        !f.getName().starts_with("__heddle_"))
      may_have_[number_of(plain_name(f))] = abi::called_by_address;
}

std::vector<std::uint64_t> Calls::own() const {
  std::vector<std::uint64_t> out;
  const auto add = [&](const GlobalValue& value) {
    if (!value.hasLocalLinkage() && !value.isDeclaration())
      out.push_back(hash_of(plain_name(value)));
  };
  for (const Function& f : module_)
    if (is_instrumented(f)) add(f);
  for (const GlobalAlias& a : module_.aliases()) add(a);
  for (const GlobalIFunc& f : module_.ifuncs()) add(f);
  return out;
}

bool Calls::compares() const {
  return any_of(module_, [](const Function& f) {
    return f.getName().starts_with("__heddle_compare_exchange") && !f.use_empty();
  });
}

Constant* Calls::constant(Constant* data, bool writable) {
  return new GlobalVariable(module_, data->getType(), !writable, GlobalValue::PrivateLinkage, data,
                            "heddle.calls");
}

void Calls::finish() {
  add_those_with_address();
  LLVMContext& c = module_.getContext();
  const std::vector<std::uint64_t> own = this->own();
  const auto number = [&](std::size_t n) {
    return ConstantInt::get(Type::getInt32Ty(c), static_cast<std::uint32_t>(n));
  };
  record_->setInitializer(ConstantStruct::get(
      type_,
      {constant(ConstantDataArray::get(c, may_have_), true),
       constant(ConstantDataArray::getString(c, names_, false)),
       constant(ConstantDataArray::get(c, own)), number(may_have_.size()), number(names_.size()),
       number(own.size()), number(abi::version), number(compares() ? 1 : 0)}));
  register_early();
}

void Calls::register_early() {
  LLVMContext& c = module_.getContext();
  Type* none = Type::getVoidTy(c);
  auto* early = Function::Create(FunctionType::get(none, false), GlobalValue::InternalLinkage,
                                 "heddle.register", module_);
  early->addFnAttr(Attribute::DisableSanitizerInstrumentation);
  IRBuilder<> builder(BasicBlock::Create(c, "", early));
  builder.CreateCall(
      module_.getOrInsertFunction("__heddle_module", none, PointerType::getUnqual(c)), {record_});
  builder.CreateRetVoid();
  appendToGlobalCtors(module_, early, 0);
}

}  // namespace heddle::pass
