#include "pass/instrument.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "pass/coroutines.hpp"
#include "pass/library.hpp"

namespace heddle::pass {

using abi::Ordering;
using abi::SiteKind;
using namespace llvm;

namespace {

Ordering ordering_of(AtomicOrdering ordering) {
  switch (ordering) {
    case AtomicOrdering::NotAtomic:
      return Ordering::none;
    case AtomicOrdering::Unordered:
    case AtomicOrdering::Monotonic:
      return Ordering::relaxed;
    case AtomicOrdering::Acquire:
      return Ordering::acquire;
    case AtomicOrdering::Release:
      return Ordering::release;
    case AtomicOrdering::AcquireRelease:
      return Ordering::acquire_release;
    case AtomicOrdering::SequentiallyConsistent:
      return Ordering::sequential;
  }
  llvm_unreachable("no such ordering");
}

// Of libatomic's functions the last argument, in the language's numbers.
Ordering ordering_of(const Value* order) {
  const auto* number = dyn_cast<ConstantInt>(order);
  if (number == nullptr || !isValidAtomicOrderingCABI(number->getSExtValue()))
    return Ordering::sequential;
  constexpr Ordering orderings[] = {Ordering::relaxed,         Ordering::acquire,
                                    Ordering::acquire,         Ordering::release,
                                    Ordering::acquire_release, Ordering::sequential};
  return orderings[number->getZExtValue()];
}

// The compiler's own: counters and checks, and the pattern that variables are born with.
bool is_compilers_own(const Instruction& i) {
  if (i.hasMetadata(LLVMContext::MD_nosanitize)) return true;
  const MDNode* notes = i.getMetadata(LLVMContext::MD_annotation);
  return notes && any_of(notes->operands(), [](const MDOperand& note) {
           const auto* text = dyn_cast<MDString>(note);
           return text && text->getString() == "auto-init";
         });
}

// A mark on what has a hook: if some pass drops it, that is safe.
constexpr char told[] = "heddle.told";

}  // namespace

bool is_instrumented(const Function& f) {
  return !f.isDeclaration() && !f.hasFnAttribute(Attribute::Naked) &&
         !f.hasFnAttribute(Attribute::DisableSanitizerInstrumentation);
}

bool is_told(const Instruction& i) { return i.hasMetadata(told); }

Instrumenter::Instrumenter(Module& module, const Hooks& hooks, Sites& sites, Calls& calls)
    : module_(module),
      layout_(module.getDataLayout()),
      word_(Type::getInt64Ty(module.getContext())),
      hooks_(hooks),
      sites_(sites),
      calls_(calls) {}

void Instrumenter::instrument_all() {
  for (Function& f : module_)
    if (is_instrumented(f)) {
      instrument(f);
      mark_body(f);
    }
}

void Instrumenter::mark_body(Function& f) {
  if (!f.hasLocalLinkage() && !f.hasPrefixData())
    f.setPrefixData(ConstantInt::get(word_, abi::body_mark));
}

void Instrumenter::instrument(Function& f) {
  SmallVector<Instruction*, 64> all;
  for (Instruction& i : instructions(f))
    if (!is_compilers_own(i)) all.push_back(&i);
  for (Instruction* i : all) instrument(*i);
  instrument_suspensions(f, hooks_, sites_);
}

void Instrumenter::instrument(Instruction& i) {
  if (auto* load = dyn_cast<LoadInst>(&i)) {
    access(i, load->getPointerOperand(), load->getType(), false, load->isVolatile(),
           load->getOrdering());
  } else if (auto* store = dyn_cast<StoreInst>(&i)) {
    access(i, store->getPointerOperand(), store->getValueOperand()->getType(), true,
           store->isVolatile(), store->getOrdering());
  } else if (auto* update = dyn_cast<AtomicRMWInst>(&i)) {
    if (!privacy_.is_private(update->getPointerOperand()))
      hook_write(i, hooks_.update,
                 {update->getPointerOperand(),
                  sites_.at(i, SiteKind::update, ordering_of(update->getOrdering()),
                            size_of(update->getType()))});
  } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&i)) {
    compare_exchange(*exchange);
  } else if (auto* fence = dyn_cast<FenceInst>(&i)) {
    if (fence->getSyncScopeID() != SyncScope::SingleThread)
      hook(i, hooks_.fence, {sites_.at(i, SiteKind::fence, ordering_of(fence->getOrdering()))});
  } else if (auto* memory = dyn_cast<MemIntrinsic>(&i)) {
    if (auto* transfer = dyn_cast<MemTransferInst>(memory))
      range(i, transfer->getRawSource(), memory->getLength(), false);
    range(i, memory->getRawDest(), memory->getLength(), true);
  } else if (auto* call = dyn_cast<CallBase>(&i)) {
    instrument_call(*call);
  }
}

void Instrumenter::access(Instruction& i, Value* address, Type* type, bool writes, bool is_volatile,
                          AtomicOrdering ordering) {
  if (privacy_.is_private(address)) return;
  if (is_volatile && ordering == AtomicOrdering::NotAtomic)
    ordering = AtomicOrdering::SequentiallyConsistent;
  const bool plain = ordering == AtomicOrdering::NotAtomic;
  const auto site = [&](SiteKind kind) {
    return sites_.at(i, kind, ordering_of(ordering), size_of(type));
  };
  if (writes)
    hook_write(i, plain ? hooks_.write : hooks_.store,
               {address, site(plain ? SiteKind::write : SiteKind::store)});
  else
    hook(i, plain ? hooks_.read : hooks_.load,
         {address, site(plain ? SiteKind::read : SiteKind::load)});
}

void Instrumenter::compare_exchange(AtomicCmpXchgInst& i) {
  Value* address = i.getPointerOperand();
  Value* expected = i.getCompareOperand();
  const std::uint64_t size = size_of(expected->getType());
  if (privacy_.is_private(address)) return;
  Constant* site = sites_.at(i, SiteKind::compare_exchange, ordering_of(i.getSuccessOrdering()),
                             size, ordering_of(i.getFailureOrdering()));
  IRBuilder<> builder(&i);
  if (size > 8) {
    Value* low = builder.CreateTrunc(expected, word_);
    Value* high = builder.CreateTrunc(builder.CreateLShr(expected, 64), word_);
    return hook_write(i, hooks_.compare_exchange_wide, {address, site, low, high});
  }
  Value* word = expected->getType()->isPointerTy() ? builder.CreatePtrToInt(expected, word_)
                                                   : builder.CreateZExt(expected, word_);
  hook_write(i, hooks_.compare_exchange, {address, site, word});
}

void Instrumenter::range(Instruction& i, Value* address, Value* size, bool writes) {
  const auto* fixed = dyn_cast<ConstantInt>(size);
  if (privacy_.is_private(address) || (fixed && fixed->isZero())) return;
  IRBuilder<> builder(&i);
  Value* arguments[] = {address, builder.CreateZExtOrTrunc(size, word_),
                        sites_.at(i, writes ? SiteKind::write : SiteKind::read, Ordering::none,
                                  fixed ? fixed->getZExtValue() : 0)};
  if (writes)
    hook_write(i, hooks_.write_range, arguments);
  else
    hook(i, hooks_.read_range, arguments);
}

void Instrumenter::instrument_call(CallBase& call) {
  if (auto* intrinsic = dyn_cast<IntrinsicInst>(&call)) return instrument_intrinsic(*intrinsic);
  if (call.isInlineAsm()) return instrument_assembly(call);
  const Function* callee = call.getCalledFunction();
  if (callee && callee->getName().starts_with("__heddle_")) return;
  // A copy made for the callee is read from here, with no instruction of its own.
  for (unsigned k = 0; k < call.arg_size(); ++k)
    if (call.isByValArgument(k))
      range(call, call.getArgOperand(k),
            ConstantInt::get(word_, size_of(call.getParamByValType(k))), false);
  if (callee && !callee->isDeclaration() && !is_instrumented(*callee))
    return hook_call(call, calls_.number_of_body(*callee));
  if (callee && (!callee->isDeclaration() || call.doesNotAccessMemory() || is_arithmetic(*callee)))
    return;
  if (callee && instrument_atomic_call(call)) return;
  hook_call(call, calls_.number_of(call), callee && is_tracked(callee->getName()));
  if (callee) instrument_library_call(call);
  // What the runtime learns from the call itself must not be replaced by something it cannot see,
  // such as a copy of a string by stores.
  call.removeFnAttr(Attribute::Builtin);
  call.addFnAttr(Attribute::NoBuiltin);
  // Where nothing uses the result, what it depends on need not be explored.
  const StringRef name = callee ? callee->getName() : "";
  if ((name == "pthread_barrier_wait" || name == "syscall") && call.use_empty())
    call.setCalledFunction(module_.getOrInsertFunction(
        name == "syscall" ? "__heddle_syscall" : "__heddle_barrier_wait", call.getFunctionType()));
}

void Instrumenter::hook_call(Instruction& i, std::uint32_t number, bool tracked) {
  hook(i, hooks_.call,
       {sites_.at(i, SiteKind::call, Ordering::none,
                  tracked ? abi::tracked_call : abi::untracked_call),
        calls_.module(), ConstantInt::get(Type::getInt32Ty(module_.getContext()), number)});
}

void Instrumenter::tell_unseen(Instruction& i, std::string_view what, StringRef which) {
  hook_call(i, calls_.number_of_place(what, which));
}

namespace {

// A format that asks for numbers only.
bool asks_for_numbers(const Value* format) {
  StringRef text;
  if (!getConstantStringInfo(format, text)) return false;
  for (std::size_t at = text.find('%'); at != StringRef::npos; at = text.find('%', at)) {
    at = text.find_first_not_of("-+ #0'I123456789.*$hlLjztqZ", at + 1);
    if (at == StringRef::npos) return true;
    if (StringRef("sSn").contains(text[at])) return false;
    ++at;
  }
  return true;
}

}  // namespace

// No other thread sees what it accesses. (What a pointer to a pointer leads to, or what a format
// says of other arguments, may be seen.)
bool Instrumenter::is_private_use(const CallBase& call, const abi::Use& use) {
  return !StringRef("fvtTl").contains(use.measure) &&
         privacy_.is_private(call.getArgOperand(use.argument));
}

// The format is there for nothing but itself: it is constant, and what it makes goes to no memory
// that is told of.
bool Instrumenter::is_idle_format(const CallBase& call, ArrayRef<abi::Use> told) {
  return told.size() == 1 && told[0].measure == 'f' &&
         asks_for_numbers(call.getArgOperand(told[0].argument)) &&
         privacy_.is_private(call.getArgOperand(told[0].argument));
}

// Calls of functions that access memory by themselves.
void Instrumenter::instrument_library_call(CallBase& call) {
  const StringRef name = call.getCalledFunction()->getName();
  Module& module = *call.getModule();
  Type* none = Type::getVoidTy(module.getContext());
  const abi::Function* row = abi::find_function({name.data(), name.size()});
  if (row == nullptr) return;
  if (row->kind == abi::FunctionKind::own_hook) {
    SmallVector<Type*, 4> types;
    SmallVector<Value*, 4> arguments(call.args());
    for (const Value* a : arguments) types.push_back(a->getType());
    hook(call,
         module.getOrInsertFunction(("__heddle_before_" + name).str(),
                                    FunctionType::get(none, types, false)),
         arguments);
  } else {
    instrument_known_call(call, *row);
  }
}

void Instrumenter::instrument_known_call(CallBase& call, const abi::Function& row) {
  LLVMContext& c = module_.getContext();
  SmallVector<abi::Use, 6> told;
  std::uint32_t private_ones = 0;
  const abi::Uses uses = abi::uses_of(row);
  for (const abi::Use& use : uses.all()) {
    if (use.what == '.' || use.argument >= call.arg_size()) continue;
    if (use.late && row.kind == abi::FunctionKind::told)
      write_after(call, use);
    else if (!use.is_file() && is_private_use(call, use))
      private_ones |= 1U << use.argument;
    else
      told.push_back(use);
  }
  if (row.kind != abi::FunctionKind::told) {
    if (private_ones != 0 && row.kind != abi::FunctionKind::refused)
      hook(call, hooks_.private_arguments, {ConstantInt::get(Type::getInt32Ty(c), private_ones)});
    return;
  }
  if (told.empty() || is_idle_format(call, told)) return;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(told.data());
  Constant* data = ConstantDataArray::get(c, ArrayRef(bytes, told.size() * sizeof told[0]));
  auto* list = new GlobalVariable(module_, data->getType(), true, GlobalValue::PrivateLinkage, data,
                                  "heddle.uses");
  list->setAlignment(Align(alignof(abi::Use)));
  hook(call, hooks_.before,
       {list, ConstantInt::get(Type::getInt32Ty(c), told.size()), arguments_of(call)});
}

// What it has written when it returns.
void Instrumenter::write_after(CallBase& call, const abi::Use& use) {
  Value* address = call.getArgOperand(use.argument);
  if (privacy_.is_private(address)) return;
  Instruction* after = call.getNextNode();
  if (auto* invoke = dyn_cast<InvokeInst>(&call))
    after = &*SplitEdge(invoke->getParent(), invoke->getNormalDest())->getFirstInsertionPt();
  IRBuilder<> builder(after);
  builder
      .CreateCall(hooks_.write,
                  {address, sites_.at(call, SiteKind::write, Ordering::none, use.bytes)})
      ->setDebugLoc(call.getDebugLoc());
}

// The arguments of a call in memory, a word for each. Wide numbers behind a format are where a
// va_list has them.
Value* Instrumenter::arguments_of(CallBase& call) {
  const unsigned fixed = call.getFunctionType()->getNumParams();
  BasicBlock& entry = call.getFunction()->getEntryBlock();
  IRBuilder<> at_entry(&entry, entry.getFirstInsertionPt());
  AllocaInst* words = at_entry.CreateAlloca(word_, ConstantInt::get(word_, 2 * call.arg_size() + 2),
                                            "heddle.arguments");
  words->setAlignment(Align(16));
  IRBuilder<> builder(&call);
  unsigned k = 0;
  for (const Use& use : call.args()) {
    Value* argument = use.get();
    Type* type = argument->getType();
    const bool wide = layout_.getTypeStoreSize(type) > 8;
    const bool behind = call.getArgOperandNo(&use) >= fixed;
    // An odd number of words comes before those that are passed behind the format.
    if (wide && behind && (k - fixed) % 2 != 0) ++k;
    Value* place = builder.CreateConstGEP1_32(word_, words, k);
    if (type->isIntegerTy())
      builder.CreateStore(builder.CreateZExtOrTrunc(argument, word_), place);
    else if (type->isPointerTy() || (type->isFloatingPointTy() && (!wide || behind)))
      builder.CreateStore(argument, place);
    k += wide && behind ? 2 : 1;
  }
  return words;
}

// Accesses that clang leaves to libatomic: __atomic_load_16(address, ..., order), and for any size
// __atomic_load(size, address, ..., order), which has values in memory, by their addresses.
bool Instrumenter::instrument_atomic_call(CallBase& call) {
  StringRef name = call.getCalledFunction()->getName();
  if (!name.consume_front("__atomic_") || name.ends_with("lock_free") || call.arg_size() < 2)
    return false;
  const bool sized = call.getArgOperand(0)->getType()->isPointerTy();
  const unsigned first = sized ? 0 : 1;
  Value* address = call.getArgOperand(first);
  std::uint64_t size = 0;
  if (sized)
    name.take_back(name.size() - name.rfind('_') - 1).getAsInteger(10, size);
  else if (const auto* fixed = dyn_cast<ConstantInt>(call.getArgOperand(0)))
    size = fixed->getZExtValue();
  if (size == 0 || !address->getType()->isPointerTy()) return false;
  const unsigned last = call.arg_size() - 1;
  const auto value_at = [&](unsigned argument, bool writes) {
    if (!sized) range(call, call.getArgOperand(argument), ConstantInt::get(word_, size), writes);
  };
  if (name.starts_with("compare_exchange")) {
    value_at(first + 2, false);
    hook(call, hooks_.compare_exchange_at,
         {address,
          sites_.at(call, SiteKind::compare_exchange, ordering_of(call.getArgOperand(last - 1)),
                    size, ordering_of(call.getArgOperand(last))),
          call.getArgOperand(first + 1)});
    return true;
  }
  const bool loads = name.starts_with("load"), stores = name.starts_with("store");
  if (!loads) value_at(first + 1, false);
  const SiteKind kind = loads ? SiteKind::load : stores ? SiteKind::store : SiteKind::update;
  hook(call,
       loads    ? hooks_.load
       : stores ? hooks_.store
                : hooks_.update,
       {address, sites_.at(call, kind, ordering_of(call.getArgOperand(last)), size)});
  if (!stores) value_at(last - 1, true);
  return true;
}

void Instrumenter::hook_write(Instruction& before, FunctionCallee hook,
                              ArrayRef<Value*> arguments) {
  this->hook(before, hook, arguments);
  mark_told(before);
}

void Instrumenter::mark_told(Instruction& i) {
  i.setMetadata(told, MDNode::get(i.getContext(), {}));
}

void Instrumenter::hook(Instruction& before, FunctionCallee hook, ArrayRef<Value*> arguments) {
  IRBuilder<> builder(&before);
  builder.CreateCall(hook, arguments)->setDebugLoc(before.getDebugLoc());
}

std::uint64_t Instrumenter::size_of(Type* type) const {
  return layout_.getTypeStoreSize(type).getFixedValue();
}

}  // namespace heddle::pass
