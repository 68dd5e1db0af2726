#include "pass/assembly.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Module.h>

namespace heddle::pass {

using namespace llvm;

namespace {

using Accesses = SmallVector<AssemblyAccess, 2>;

const InlineAsm& text_of(const CallBase& call) { return *cast<InlineAsm>(call.getCalledOperand()); }

// Of texts for two dialects, "{att|intel}", the first; without comments.
std::string in_first_dialect(StringRef text) {
  std::string out;
  bool other = false, comment = false, operand = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '{' && k > 0 && text[k - 1] == '$') operand = true;
    const bool bracket = !operand && (c == '{' || c == '|' || c == '}');
    if (bracket) other = c == '|';
    if (operand && c == '}') operand = false;
    comment = c == '#' || (comment && c != '\n');
    if (!bracket && !other && !comment) out += c;
  }
  return out;
}

SmallVector<std::string, 4> statements_of(const InlineAsm& assembly) {
  SmallVector<std::string, 4> out;
  const std::string text = in_first_dialect(assembly.getAsmString());
  SmallVector<StringRef, 4> lines;
  StringRef(text).split(lines, '\n');
  for (const StringRef line : lines) {
    SmallVector<StringRef, 4> parts;
    line.split(parts, ';');
    for (const StringRef part : parts)
      if (const StringRef trimmed = part.trim(); !trimmed.empty()) out.push_back(trimmed.str());
  }
  return out;
}

struct Operand {
  enum { number, register_, memory } what;
  int operand = -1;          // of the assembly, where it is one
  Value* address = nullptr;  // of memory; null: the stack itself
  std::uint64_t size = 0;    // of what it is declared as; 0: not known
};

// Operands by their numbers, with the arguments of the call.
class Operands {
 public:
  Operands(const CallBase& call, IRBuilder<>& builder)
      : call_(call), builder_(builder), constraints_(text_of(call).ParseConstraints()) {
    unsigned next = 0;
    for (const InlineAsm::ConstraintInfo& c : constraints_) {
      const bool passed =
          c.Type == InlineAsm::isInput || (c.Type == InlineAsm::isOutput && c.isIndirect);
      arguments_.push_back(passed ? static_cast<int>(next++) : -1);
    }
  }

  std::optional<Operand> parse(StringRef text) const {
    text = text.trim();
    if (text.starts_with("$$")) return Operand{.what = Operand::number};
    if (const std::size_t open = text.find('('); open != StringRef::npos)
      return memory(text.take_front(open), text.drop_front(open + 1));
    if (text.starts_with("%") && text.contains(':')) return std::nullopt;  // of a segment
    if (text.starts_with("%")) return Operand{.what = Operand::register_};
    const std::optional<unsigned> k = number_of(text);
    if (!k) return std::nullopt;
    if (!constraints_[*k].isIndirect)
      return Operand{
          .what = Operand::register_, .operand = static_cast<int>(*k), .size = size_of(*k)};
    const auto argument = static_cast<unsigned>(arguments_[*k]);
    return Operand{.what = Operand::memory,
                   .operand = static_cast<int>(*k),
                   .address = call_.getArgOperand(argument),
                   .size = store_size(call_.getParamElementType(argument))};
  }

  // What is in a register when the assembly begins, as 64 bits; null if that is not known.
  Value* in_register(StringRef name) const {
    for (std::size_t k = 0; k < constraints_.size(); ++k)
      for (const std::string& code : constraints_[k].Codes)
        if (code == "{" + name.str() + "}" || (name == "ax" && code == "a") ||
            (name == "dx" && code == "d"))
          if (Value* value = value_of(k)) return as_word(value);
    return nullptr;
  }

  Value* as_word(Value* value) const {
    Type* word = builder_.getInt64Ty();
    if (value->getType()->isPointerTy()) return builder_.CreatePtrToInt(value, word);
    return value->getType()->isIntegerTy() ? builder_.CreateZExtOrTrunc(value, word) : nullptr;
  }

  // Of an input, or of an output that begins as one.
  Value* value_of(std::size_t k) const {
    if (constraints_[k].isIndirect) return nullptr;
    std::size_t input = k;
    if (constraints_[k].Type == InlineAsm::isOutput) {
      if (!constraints_[k].hasMatchingInput()) return nullptr;
      input = static_cast<std::size_t>(constraints_[k].MatchingInput);
    }
    return arguments_[input] < 0 ? nullptr
                                 : call_.getArgOperand(static_cast<unsigned>(arguments_[input]));
  }

 private:
  // "$1", "${1:w}"
  std::optional<unsigned> number_of(StringRef text) const {
    if (!text.consume_front("$")) return std::nullopt;
    if (text.consume_front("{"))
      text = text.take_until([](char c) { return c == ':' || c == '}'; });
    unsigned k = 0;
    if (text.getAsInteger(10, k) || k >= constraints_.size() ||
        constraints_[k].Type == InlineAsm::isClobber)
      return std::nullopt;
    return k;
  }

  std::uint64_t store_size(Type* type) const {
    return type && type->isSized()
               ? call_.getModule()->getDataLayout().getTypeStoreSize(type).getFixedValue()
               : 0;
  }
  std::uint64_t size_of(unsigned k) const {
    if (const Value* value = value_of(k)) return store_size(value->getType());
    return 0;
  }

  // "8($1)", "($1,$2,4)", "(%rsp)"
  std::optional<Operand> memory(StringRef before, StringRef inside) const {
    std::int64_t distance = 0;
    if (!before.trim().empty() && before.trim().getAsInteger(0, distance)) return std::nullopt;
    if (!inside.consume_back(")")) return std::nullopt;
    if (inside == "%rsp" || inside == "%esp") return Operand{.what = Operand::memory};
    SmallVector<StringRef, 3> parts;
    inside.split(parts, ',');
    std::uint64_t scale = 1;
    if (parts.size() > 2 && parts[2].trim().getAsInteger(10, scale)) return std::nullopt;
    Value* address = register_value(parts[0]);
    if (address == nullptr) return std::nullopt;
    address = builder_.CreateAdd(address, builder_.getInt64(static_cast<std::uint64_t>(distance)));
    if (parts.size() > 1) {
      Value* index = register_value(parts[1]);
      if (index == nullptr) return std::nullopt;
      address = builder_.CreateAdd(address, builder_.CreateMul(index, builder_.getInt64(scale)));
    }
    return Operand{.what = Operand::memory,
                   .address = builder_.CreateIntToPtr(address, builder_.getPtrTy())};
  }

  Value* register_value(StringRef text) const {
    const std::optional<unsigned> k = number_of(text.trim());
    Value* value = k ? value_of(*k) : nullptr;
    return value != nullptr ? as_word(value) : nullptr;
  }

  const CallBase& call_;
  IRBuilder<>& builder_;
  InlineAsm::ConstraintInfoVector constraints_;
  SmallVector<int, 8> arguments_;  // by operand; -1: it has none
};

// An instruction, by its name without the letter for the size.
struct Mnemonic {
  enum What { unknown, harmless, fence, exchange, modify, compare_exchange, move, look, bits, bit };
  What what = unknown;
  std::uint64_t size = 0;  // that the letter tells; 0: none
  bool pair = false;       // what is expected is in two registers
};

Mnemonic::What by_name(StringRef name) {
  return StringSwitch<Mnemonic::What>(name)
      .Case("xchg", Mnemonic::exchange)
      .Cases("xadd", "inc", "dec", "neg", "not", "add", "sub", "and", "or", Mnemonic::modify)
      .Cases("xor", "adc", "sbb", Mnemonic::modify)
      .Case("cmpxchg", Mnemonic::compare_exchange)
      .Case("mov", Mnemonic::move)
      .Cases("cmp", "test", Mnemonic::look)
      .Cases("bts", "btr", "btc", Mnemonic::bits)
      .Case("bt", Mnemonic::bit)
      .Cases("lea", "shl", "shr", "sar", "rol", "ror", "bsf", "bsr", "bswap", Mnemonic::harmless)
      .Cases("popcnt", "lzcnt", "tzcnt", "imul", "mul", "nop", "pause", Mnemonic::harmless)
      .Default(Mnemonic::unknown);
}

Mnemonic mnemonic_of(StringRef name) {
  if (name == "cmpxchg8b") return {Mnemonic::compare_exchange, 8, true};
  if (name == "cmpxchg16b") return {Mnemonic::compare_exchange, 16, true};
  if (name == "mfence" || name == "lfence" || name == "sfence") return {Mnemonic::fence};
  if (name.starts_with("set")) return {Mnemonic::move, 1};
  if (name.starts_with("movzb") || name.starts_with("movsb")) return {Mnemonic::move, 1};
  if (name.starts_with("movzw") || name.starts_with("movsw")) return {Mnemonic::move, 2};
  if (name == "movslq") return {Mnemonic::move, 4};
  if (const Mnemonic::What what = by_name(name)) return {what};
  const std::uint64_t size = StringSwitch<std::uint64_t>(name.take_back())
                                 .Case("b", 1)
                                 .Case("w", 2)
                                 .Case("l", 4)
                                 .Case("q", 8)
                                 .Default(0);
  return size != 0 ? Mnemonic{by_name(name.drop_back()), size} : Mnemonic{};
}

SmallVector<StringRef, 3> operands_of(StringRef text) {
  SmallVector<StringRef, 3> out;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t k = 0; k <= text.size(); ++k) {
    if (k < text.size() && text[k] == '(') ++depth;
    if (k < text.size() && text[k] == ')') --depth;
    if (k < text.size() && (text[k] != ',' || depth != 0)) continue;
    if (const StringRef part = text.slice(begin, k).trim(); !part.empty()) out.push_back(part);
    begin = k + 1;
  }
  return out;
}

// It names memory by a symbol, or has an address in a register that it does not name, as
// instructions on strings and calls do.
bool has_hidden_operands(StringRef statement) {
  const std::size_t end = statement.find_first_of(" \t");
  const StringRef name = statement.take_front(end);
  const auto operands = operands_of(end == StringRef::npos ? "" : statement.drop_front(end));
  if (operands.empty())
    return !StringRef(
                " cpuid rdtsc rdtscp rdpmc xgetbv cld std clc stc cmc cbtw cwtl cltq cwtd cltd "
                "cqto "
                "ud2 int3 emms vzeroupper vzeroall nop pause mfence lfence sfence ")
                .contains((" " + name + " ").str());
  return any_of(operands, [](StringRef o) {
    return o.starts_with("%") ? o.contains(':') : !o.starts_with("$");
  });
}

class Reader {
 public:
  Reader(const CallBase& call, IRBuilder<>& builder)
      : operands_(call, builder), builder_(builder) {}

  Accesses accesses;

  // False if it cannot be told what the statement does.
  bool read(StringRef statement) {
    const std::size_t end = statement.find_first_of(" \t");
    const StringRef name = statement.take_front(end);
    const StringRef rest = end == StringRef::npos ? "" : statement.drop_front(end).trim();
    if (name == "lock" || name == "rep") {
      (name == "lock" ? locked_ : repeated_) = true;
      return rest.empty() || read(rest);
    }
    const bool repeated = std::exchange(repeated_, false);
    if (repeated && name != "nop") return false;
    const bool locked = std::exchange(locked_, false);
    const Mnemonic mnemonic = mnemonic_of(name);
    if (mnemonic.what == Mnemonic::unknown) return false;
    if (mnemonic.what == Mnemonic::fence) return add_fence(name);
    return read(mnemonic, name, operands_of(rest), locked);
  }

 private:
  bool add_fence(StringRef name) {
    accesses.push_back({name == "mfence"   ? AssemblyAccess::full_fence
                        : name == "lfence" ? AssemblyAccess::read_fence
                                           : AssemblyAccess::write_fence});
    return true;
  }

  bool read(const Mnemonic& mnemonic, StringRef name, ArrayRef<StringRef> texts, bool locked) {
    SmallVector<Operand, 3> operands;
    for (const StringRef text : texts) {
      const std::optional<Operand> operand = operands_.parse(text);
      if (!operand) return false;
      operands.push_back(*operand);
    }
    const auto memory =
        find_if(operands, [](const Operand& o) { return o.what == Operand::memory; });
    if (mnemonic.what == Mnemonic::harmless)  // but for lea, which only computes an address
      return memory == operands.end() || name.starts_with("lea") || name.starts_with("nop");
    // Those without any operands have theirs in registers: "movsb".
    if (memory == operands.end()) return !locked && !operands.empty();
    if (memory->address == nullptr) return touches_stack(mnemonic, locked);
    std::uint64_t size = mnemonic.size;
    for (const Operand& o : operands)
      if (size == 0 && (o.what == Operand::register_ || operands.size() == 1)) size = o.size;
    if (size == 0) size = memory->size;
    if (size == 0 || size > 16 || !isPowerOf2_64(size)) return false;
    return add(mnemonic, *memory, size, memory + 1 == operands.end(), locked, operands);
  }

  // To change nothing on the stack, in one step, is how some make a fence.
  bool touches_stack(const Mnemonic& mnemonic, bool locked) {
    if (mnemonic.what != Mnemonic::modify || !locked) return false;
    accesses.push_back({AssemblyAccess::full_fence});
    return true;
  }

  bool add(const Mnemonic& mnemonic, const Operand& memory, std::uint64_t size, bool last,
           bool locked, ArrayRef<Operand> operands) {
    const auto changed = locked ? AssemblyAccess::update : AssemblyAccess::change;
    switch (mnemonic.what) {
      case Mnemonic::exchange:
        return add(AssemblyAccess::update, memory.address, size);
      case Mnemonic::modify:
        return add(last ? changed : AssemblyAccess::read, memory.address, size);
      case Mnemonic::move:
        return add(last ? AssemblyAccess::write : AssemblyAccess::read, memory.address, size);
      case Mnemonic::look:
        return add(AssemblyAccess::read, memory.address, size);
      case Mnemonic::bits:
        return add_bits(operands, memory, size, changed);
      case Mnemonic::bit:
        return add_bits(operands, memory, size, AssemblyAccess::read);
      case Mnemonic::compare_exchange:
        return locked ? add_compare_exchange(memory.address, size, mnemonic.pair)
                      : add(changed, memory.address, size);
      default:
        return false;
    }
  }

  bool add(AssemblyAccess::Kind kind, Value* address, std::uint64_t size) {
    accesses.push_back({kind, address, size});
    return true;
  }

  // The number of a bit in a register may be one beyond the word.
  bool add_bits(ArrayRef<Operand> operands, const Operand& memory, std::uint64_t size,
                AssemblyAccess::Kind kind) {
    if (operands.size() != 2) return false;
    Value* address = memory.address;
    if (operands[0].what == Operand::register_) {
      Value* bit = operands[0].operand < 0
                       ? nullptr
                       : operands_.value_of(static_cast<std::size_t>(operands[0].operand));
      if (bit == nullptr || !bit->getType()->isIntegerTy()) return false;
      Value* word = builder_.CreateAShr(builder_.CreateSExtOrTrunc(bit, builder_.getInt64Ty()),
                                        Log2_64(size * 8));
      address = builder_.CreatePtrAdd(address, builder_.CreateMul(word, builder_.getInt64(size)));
    }
    return add(kind, address, size);
  }

  bool add_compare_exchange(Value* address, std::uint64_t size, bool pair) {
    Value *expected = operands_.in_register("ax"), *high = operands_.in_register("dx");
    if (expected == nullptr || (pair && high == nullptr)) return false;
    if (pair && size == 8) expected = builder_.CreateOr(builder_.CreateShl(high, 32), expected);
    if (size < 8) expected = builder_.CreateAnd(expected, (std::uint64_t{1} << 8 * size) - 1);
    accesses.push_back({AssemblyAccess::compare_exchange, address, size, expected, high});
    return true;
  }

  Operands operands_;
  IRBuilder<>& builder_;
  bool locked_ = false, repeated_ = false;
};

}  // namespace

std::optional<Accesses> accesses_of_assembly(const CallBase& call, IRBuilder<>& builder) {
  const InlineAsm& assembly = text_of(call);
  const SmallVector<std::string, 4> statements = statements_of(assembly);
  if (!statements.empty() && (assembly.getDialect() != InlineAsm::AD_ATT || !isa<CallInst>(call)))
    return std::nullopt;
  Reader reader(call, builder);
  for (const std::string& statement : statements)
    if (!reader.read(statement)) return std::nullopt;
  return reader.accesses;
}

bool may_access_memory(const CallBase& call) {
  const InlineAsm& assembly = text_of(call);
  return any_of(statements_of(assembly), has_hidden_operands) ||
         assembly.getAsmString().find_first_of("([") != std::string::npos ||
         any_of(assembly.ParseConstraints(), [](const InlineAsm::ConstraintInfo& c) {
           return c.isIndirect || is_contained(c.Codes, "{memory}");
         });
}

bool may_differ(const CallBase& call) {
  const StringRef text = text_of(call).getAsmString();
  return any_of(ArrayRef<StringRef>{"rdtsc", "cpuid", "rdrand", "rdseed", "rdpmc", "rdpid"},
                [&](StringRef name) { return text.contains(name); });
}

}  // namespace heddle::pass
