#include "pass/intrinsics.hpp"

#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

namespace heddle::pass {

using namespace llvm;

namespace {

using Accesses = SmallVector<IntrinsicAccess, 8>;

// They touch no memory of the program, or only what is constant or their own.
bool is_harmless(const IntrinsicInst& i) {
  if (i.isAssumeLikeIntrinsic() || i.onlyAccessesInaccessibleMemory() || i.doesNotAccessMemory())
    return true;
  switch (i.getIntrinsicID()) {
    case Intrinsic::prefetch:
    case Intrinsic::vaend:
    case Intrinsic::stacksave:
    case Intrinsic::stackrestore:
    case Intrinsic::trap:
    case Intrinsic::debugtrap:
    case Intrinsic::ubsantrap:
    case Intrinsic::clear_cache:
    case Intrinsic::load_relative:
    case Intrinsic::type_checked_load:
    case Intrinsic::type_checked_load_relative:
    case Intrinsic::read_register:
    case Intrinsic::read_volatile_register:
    case Intrinsic::x86_sse2_pause:
    case Intrinsic::x86_sse2_clflush:
    case Intrinsic::x86_clflushopt:
    case Intrinsic::x86_clwb:
    case Intrinsic::x86_cldemote:
      return true;
    default:
      return any_of(ArrayRef<StringRef>{"llvm.coro.", "llvm.eh.", "llvm.instrprof.", "llvm.dbg.",
                                        "llvm.local", "llvm.icall.", "llvm.pseudoprobe"},
                    [&](StringRef prefix) {
                      return i.getCalledFunction()->getName().starts_with(prefix);
                    }) ||
             may_differ(i);
  }
}

// Accesses of a vector, element by element.
class Elements {
 public:
  Elements(IRBuilder<>& builder, const DataLayout& layout) : builder_(builder), layout_(layout) {}

  Accesses accesses;

  void whole(Value* address, std::uint64_t size, bool writes) {
    accesses.push_back({address, builder_.getInt64(size), writes});
  }

  // Elements one after the other.
  void row(Value* address, Type* vector, Value* mask, bool writes) {
    const unsigned count = count_of(vector);
    for (unsigned k = 0; k < count; ++k)
      add(builder_.CreatePtrAdd(address, builder_.getInt64(k * size_of(vector))), vector,
          is_meant(mask, k), writes);
  }

  // Those that are meant, without gaps.
  void packed(Value* address, Type* vector, Value* mask, bool writes) {
    Value* count = builder_.getInt64(0);
    for (unsigned k = 0; k < count_of(vector); ++k)
      count =
          builder_.CreateAdd(count, builder_.CreateZExt(is_meant(mask, k), builder_.getInt64Ty()));
    accesses.push_back(
        {address, builder_.CreateMul(count, builder_.getInt64(size_of(vector))), writes});
  }

  // At addresses of their own.
  void at(Value* addresses, Type* vector, Value* mask, bool writes) {
    for (unsigned k = 0; k < count_of(vector); ++k)
      add(builder_.CreateExtractElement(addresses, k), vector, is_meant(mask, k), writes);
  }
  void at(Value* base, Value* indices, Value* scale, Type* vector, Value* mask, bool writes) {
    const unsigned count = std::min(count_of(vector), count_of(indices->getType()));
    Type* word = builder_.getInt64Ty();
    for (unsigned k = 0; k < count; ++k) {
      Value* index = builder_.CreateSExt(builder_.CreateExtractElement(indices, k), word);
      Value* offset = builder_.CreateMul(index, builder_.CreateZExt(scale, word));
      add(builder_.CreatePtrAdd(base, offset), vector, is_meant(mask, k), writes);
    }
  }

 private:
  static unsigned count_of(Type* vector) { return cast<FixedVectorType>(vector)->getNumElements(); }
  std::uint64_t size_of(Type* vector) const {
    return layout_.getTypeStoreSize(vector->getScalarType()).getFixedValue();
  }

  // Masks have bits, or elements whose highest bit counts.
  Value* is_meant(Value* mask, unsigned k) {
    Type* type = mask->getType();
    if (type->isIntegerTy())
      return builder_.CreateTrunc(builder_.CreateLShr(mask, k), builder_.getInt1Ty());
    Type* element = type->getScalarType();
    if (element->isIntegerTy(1)) return builder_.CreateExtractElement(mask, k);
    Type* number = builder_.getIntNTy(element->getScalarSizeInBits());
    Value* value = builder_.CreateBitCast(builder_.CreateExtractElement(mask, k), number);
    return builder_.CreateICmpSLT(value, ConstantInt::get(number, 0));
  }

  void add(Value* address, Type* vector, Value* meant, bool writes) {
    accesses.push_back(
        {address,
         builder_.CreateSelect(meant, builder_.getInt64(size_of(vector)), builder_.getInt64(0)),
         writes});
  }

  IRBuilder<>& builder_;
  const DataLayout& layout_;
};

bool is_vector(const Type* type) { return isa<FixedVectorType>(type); }

// Those that every processor has.
bool add_generic(const IntrinsicInst& i, Elements& to) {
  const auto argument = [&](unsigned k) { return i.getArgOperand(k); };
  constexpr std::uint64_t list_of_arguments = 24;
  switch (i.getIntrinsicID()) {
    case Intrinsic::masked_load:
      to.row(argument(0), i.getType(), argument(2), false);
      return true;
    case Intrinsic::masked_store:
      to.row(argument(1), argument(0)->getType(), argument(3), true);
      return true;
    case Intrinsic::masked_gather:
      to.at(argument(0), i.getType(), argument(2), false);
      return true;
    case Intrinsic::masked_scatter:
      to.at(argument(1), argument(0)->getType(), argument(3), true);
      return true;
    case Intrinsic::masked_expandload:
      to.packed(argument(0), i.getType(), argument(1), false);
      return true;
    case Intrinsic::masked_compressstore:
      to.packed(argument(1), argument(0)->getType(), argument(2), true);
      return true;
    case Intrinsic::vastart:
      to.whole(argument(0), list_of_arguments, true);
      return true;
    case Intrinsic::vacopy:
      to.whole(argument(1), list_of_arguments, false);
      to.whole(argument(0), list_of_arguments, true);
      return true;
    default:
      return false;
  }
}

// Vectors of x86, by their names.
bool add_vector(const IntrinsicInst& i, StringRef name, Elements& to) {
  const auto argument = [&](unsigned k) { return i.getArgOperand(k); };
  if (name.starts_with("avx.maskload") || name.starts_with("avx2.maskload"))
    to.row(argument(0), i.getType(), argument(1), false);
  else if (name.starts_with("avx.maskstore") || name.starts_with("avx2.maskstore"))
    to.row(argument(0), argument(2)->getType(), argument(1), true);
  else if (name == "sse2.maskmov.dqu")
    to.row(argument(2), argument(0)->getType(), argument(1), true);
  else if ((name.starts_with("avx2.gather") || name.starts_with("avx512.mask.gather")) &&
           is_vector(argument(2)->getType()))
    to.at(argument(1), argument(2), argument(4), i.getType(), argument(3), false);
  else if (name.starts_with("avx512.mask.scatter") && is_vector(argument(2)->getType()))
    to.at(argument(0), argument(2), argument(4), argument(3)->getType(), argument(1), true);
  else
    return false;
  return true;
}

bool add_of_fixed_size(const IntrinsicInst& i, StringRef name, Elements& to) {
  struct Fixed {
    const char* name;
    std::uint64_t size;
    bool writes;
  };
  static constexpr Fixed all[] = {
      {"sse.ldmxcsr", 4, false},     {"sse.stmxcsr", 4, true},  {"sse3.ldu.dq", 16, false},
      {"avx.ldu.dq.256", 32, false}, {"fxsave", 512, true},     {"fxsave64", 512, true},
      {"fxrstor", 512, false},       {"fxrstor64", 512, false}, {"directstore32", 4, true},
      {"directstore64", 8, true},
  };
  for (const Fixed& f : all)
    if (name == f.name) {
      to.whole(i.getArgOperand(0), f.size, f.writes);
      return true;
    }
  if (name != "movdir64b") return false;
  to.whole(i.getArgOperand(1), 64, false);
  to.whole(i.getArgOperand(0), 64, true);
  return true;
}

}  // namespace

std::optional<Accesses> accesses_of_intrinsic(const IntrinsicInst& i, IRBuilder<>& builder) {
  Elements elements(builder, i.getModule()->getDataLayout());
  StringRef name = i.getCalledFunction()->getName();
  if (is_harmless(i) || add_generic(i, elements)) return elements.accesses;
  if (name.consume_front("llvm.x86.") &&
      (add_vector(i, name, elements) || add_of_fixed_size(i, name, elements)))
    return elements.accesses;
  return std::nullopt;
}

abi::Ordering fence_of(const IntrinsicInst& i) {
  switch (i.getIntrinsicID()) {
    case Intrinsic::x86_sse2_mfence:
      return abi::Ordering::sequential;
    case Intrinsic::x86_sse2_lfence:
      return abi::Ordering::acquire;
    case Intrinsic::x86_sse_sfence:
      return abi::Ordering::release;
    default:
      return abi::Ordering::none;
  }
}

bool make_deterministic(IntrinsicInst& i) {
  IRBuilder<> builder(&i);
  const auto ask = [&](const char* name) {
    return builder.CreateCall(i.getModule()->getOrInsertFunction(name, builder.getInt64Ty()));
  };
  Value* answer = nullptr;
  switch (i.getIntrinsicID()) {
    case Intrinsic::readcyclecounter:
    case Intrinsic::readsteadycounter:
    case Intrinsic::x86_rdtsc:
      answer = ask("__heddle_cycles");
      break;
    case Intrinsic::x86_rdtscp:  // and the processor's number
      answer =
          builder.CreateInsertValue(Constant::getNullValue(i.getType()), ask("__heddle_cycles"), 0);
      break;
    case Intrinsic::x86_rdrand_16:
    case Intrinsic::x86_rdrand_32:
    case Intrinsic::x86_rdrand_64:
    case Intrinsic::x86_rdseed_16:
    case Intrinsic::x86_rdseed_32:
    case Intrinsic::x86_rdseed_64: {  // and that there was one
      Type* number = i.getType()->getStructElementType(0);
      answer = builder.CreateInsertValue(PoisonValue::get(i.getType()),
                                         builder.CreateTrunc(ask("__heddle_random"), number), 0);
      answer = builder.CreateInsertValue(answer, builder.getInt32(1), 1);
      break;
    }
    default:
      return false;
  }
  answer->takeName(&i);
  i.replaceAllUsesWith(answer);
  i.eraseFromParent();
  return true;
}

bool may_differ(const IntrinsicInst& i) {
  return i.getIntrinsicID() == Intrinsic::x86_rdpmc || i.getIntrinsicID() == Intrinsic::x86_rdpid;
}

}  // namespace heddle::pass
