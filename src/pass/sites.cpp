#include "pass/sites.hpp"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Path.h>

#include <algorithm>

#include "pass/benign.hpp"

namespace heddle::pass {

using namespace llvm;

Sites::Sites(Module& module) : module_(module) {
  LLVMContext& c = module.getContext();
  Type *pointer = PointerType::getUnqual(c), *i8 = Type::getInt8Ty(c), *i32 = Type::getInt32Ty(c);
  type_ = StructType::create({pointer, pointer, i32, Type::getInt16Ty(c), i8, i8, i32, i8, i8, i8},
                             "heddle.site");
}

namespace {

// The standard of the language that the function was compiled by is what the driver has noted.
bool own_stores_continue(const Function& f) {
  const DISubprogram* program = f.getSubprogram();
  const StringRef flags = program && program->getUnit() ? program->getUnit()->getFlags() : "";
  const std::size_t at = flags.rfind("-std=");
  if (at == StringRef::npos) return true;  // clang 19's default is C17 and C++17
  StringRef name = flags.drop_front(at + 5).take_until([](char c) { return c == ' '; });
  if (name.consume_front("iso9899:")) return name < "2024";
  // c++20, gnu++2b, c23, gnu2x; but c11, c++17, gnu++1z
  name = name.ltrim("gnuc+");
  return !name.starts_with("2");
}

}  // namespace

Constant* Sites::text(StringRef s) {
  Constant*& known = texts_[s];
  if (known == nullptr) {
    Constant* data = ConstantDataArray::getString(module_.getContext(), s);
    auto* global = new GlobalVariable(module_, data->getType(), true, GlobalValue::PrivateLinkage,
                                      data, "heddle.text");
    global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    known = global;
  }
  return known;
}

bool Sites::is_system(const DIFile* file) {
  const auto [at, fresh] = system_.try_emplace(file, false);
  if (!fresh) return at->second;
  // Clang finds libstdc++ by way of its own directory: /usr/bin/../lib/gcc/../../include/c++/...
  SmallString<256> path(file->getFilename());
  if (!sys::path::is_absolute(path)) {
    path = file->getDirectory();
    sys::path::append(path, file->getFilename());
  }
  sys::path::remove_dots(path, true);
  return at->second = path.starts_with("/usr/include/") || path.starts_with("/usr/lib/") ||
                      path.find("/heddle/actors") != std::string::npos;
}

Constant* Sites::at(const Instruction& i, abi::SiteKind kind, abi::Ordering ordering,
                    std::uint64_t size, abi::Ordering failure) {
  return at(i.getDebugLoc().get(), *i.getFunction(), kind, ordering, size, failure);
}

const DILocation* Sites::users_place(const DILocation* location) {
  for (const DILocation* l = location; l != nullptr; l = l->getInlinedAt())
    if (!is_system(l->getFile())) return l;
  return location;
}

std::string Sites::text_of(const Instruction& i) {
  return text_of(i.getDebugLoc().get(), *i.getFunction());
}

std::string Sites::text_of(const DILocation* location, const Function& function) {
  const DILocation* place = users_place(location);
  if (place == nullptr) return function.getName().str();
  return (place->getFilename() + ":" + Twine(place->getLine())).str();
}

// What is the same at two places is kept once.
Constant* Sites::at(const DILocation* location, const Function& function, abi::SiteKind kind,
                    abi::Ordering ordering, std::uint64_t size, abi::Ordering failure) {
  GlobalVariable* site = make(location, function, kind, ordering, size, failure);
  site->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return site;
}

Constant* Sites::of_loop(const DILocation* start, const Function& function) {
  return make(start, function, abi::SiteKind::loop, abi::Ordering::none, 0, abi::Ordering::none);
}

GlobalVariable* Sites::make(const DILocation* location, const Function& function,
                            abi::SiteKind kind, abi::Ordering ordering, std::uint64_t size,
                            abi::Ordering failure) {
  const DILocation* best = users_place(location);
  const DISubprogram* program = best ? best->getScope()->getSubprogram() : nullptr;
  const auto number = [&](unsigned field, std::uint64_t value) {
    auto* type = cast<IntegerType>(type_->getElementType(field));
    return ConstantInt::get(type, std::min(value, type->getBitMask()));
  };
  Constant* fields[] = {text(best ? best->getFilename() : "?"),
                        text(program ? program->getName() : function.getName()),
                        number(2, best ? best->getLine() : 0),
                        number(3, best ? best->getColumn() : 0),
                        number(4, static_cast<std::uint64_t>(kind)),
                        number(5, static_cast<std::uint64_t>(ordering)),
                        number(6, size),
                        number(7, static_cast<std::uint64_t>(failure)),
                        number(8, own_stores_continue(function) ? 1 : 0),
                        number(9, function.hasFnAttribute(benign_races) ? 1 : 0)};
  return new GlobalVariable(module_, type_, true, GlobalValue::PrivateLinkage,
                            ConstantStruct::get(type_, fields), "heddle.site");
}

}  // namespace heddle::pass
