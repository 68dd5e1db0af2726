#include "pass/privacy.hpp"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GlobalVariable.h>

#include "pass/library.hpp"

namespace heddle::pass {
namespace {

using namespace llvm;

constexpr unsigned max_uses = 1000;  // looked at before a variable is taken to escape

class Tracker final : public CaptureTracker {
 public:
  bool escaped = false;

  void tooManyUses() override { escaped = true; }
  bool captured(const Use* use) override {
    // LLVM counts volatile accesses, by which devices may see an address, but threads do not.
    if (getLoadStorePointerOperand(use->getUser()) == use->get() && !stores(*use)) return false;
    if (const auto* call = dyn_cast<CallBase>(use->getUser()); call && call->isArgOperand(use)) {
      if (call->isByValArgument(call->getArgOperandNo(use))) return false;  // a copy is passed
      if (const Function* f = call->getCalledFunction();
          f && f->isDeclaration() && only_borrows(f->getName(), call->getArgOperandNo(use)))
        return false;
    }
    return escaped = true;
  }

 private:
  static bool stores(const Use& use) {
    return isa<StoreInst>(use.getUser()) &&
           use.getOperandNo() != StoreInst::getPointerOperandIndex();
  }
};

// Follows pointers into functions of the module.
class Follower final : public CaptureTracker {
 public:
  explicit Follower(function_ref<bool(const Argument&)> is_passed_on)
      : is_passed_on_(is_passed_on) {}
  bool found = false;

  void tooManyUses() override { found = true; }
  bool captured(const Use* use) override {
    if (isa<ICmpInst>(use->getUser())) return false;
    // A volatile access by it, see above.
    const auto* store = dyn_cast<StoreInst>(use->getUser());
    if (getLoadStorePointerOperand(use->getUser()) == use->get() &&
        !(store && store->getValueOperand() == use->get()))
      return false;
    if (const auto* call = dyn_cast<CallBase>(use->getUser()); call && call->isArgOperand(use)) {
      const unsigned k = call->getArgOperandNo(use);
      const Function* f = call->getCalledFunction();
      if (call->isByValArgument(k)) return false;
      if (f && f->isDeclaration() &&
          (keeps_to_itself(f->getName()) || only_borrows(f->getName(), k)))
        return false;
      if (f && !f->isDeclaration() && !f->isInterposable() && k < f->arg_size())
        return found = is_passed_on_(*f->getArg(k));
    }
    return found = true;
  }

 private:
  function_ref<bool(const Argument&)> is_passed_on_;
};

// Counters of the compiler's own instrumentation.
bool is_counter(const GlobalVariable& global) {
  return global.getName().starts_with("__llvm_") || global.getName().starts_with("__prof");
}

}  // namespace

bool Privacy::is_private(const Value* address) {
  if (const auto* global = dyn_cast<GlobalVariable>(getUnderlyingObject(address, 0)))
    return global->isConstant() || is_counter(*global);
  return private_variable(address) != nullptr;
}

bool Privacy::is_passed_on(const Value& pointer) {
  const auto [at, fresh] = passed_on_.try_emplace(&pointer, true);  // for recursion
  if (!fresh) return at->second;
  const auto follow = [&](const Argument& a) { return is_passed_on(a); };
  Follower follower(follow);
  PointerMayBeCaptured(&pointer, &follower, max_uses);
  return passed_on_[&pointer] = follower.found;
}

const Value* Privacy::private_variable(const Value* address) {
  const Value* object = getUnderlyingObject(address, 0);
  const auto* argument = dyn_cast<Argument>(object);
  const auto* variable = dyn_cast<AllocaInst>(object);
  if (variable == nullptr && !(argument && argument->hasByValAttr())) return nullptr;
  if ((variable ? variable->getFunction() : argument->getParent())->isPresplitCoroutine())
    return nullptr;
  const auto [at, fresh] = escapes_.try_emplace(object, true);
  if (fresh) {
    Tracker tracker;
    PointerMayBeCaptured(object, &tracker, max_uses);
    at->second = tracker.escaped;
  }
  return at->second ? nullptr : object;
}

}  // namespace heddle::pass
