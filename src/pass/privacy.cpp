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
    if (const auto* call = dyn_cast<CallBase>(use->getUser()); call && call->isArgOperand(use))
      if (const Function* f = call->getCalledFunction();
          f && f->isDeclaration() && only_borrows(f->getName(), call->getArgOperandNo(use)))
        return false;
    return escaped = true;
  }

 private:
  static bool stores(const Use& use) {
    return isa<StoreInst>(use.getUser()) &&
           use.getOperandNo() != StoreInst::getPointerOperandIndex();
  }
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

const Value* Privacy::private_variable(const Value* address) {
  const Value* object = getUnderlyingObject(address, 0);
  const auto* argument = dyn_cast<Argument>(object);
  if (!isa<AllocaInst>(object) && !(argument && argument->hasByValAttr())) return nullptr;
  const auto [at, fresh] = escapes_.try_emplace(object, true);
  if (fresh) {
    Tracker tracker;
    PointerMayBeCaptured(object, &tracker, max_uses);
    at->second = tracker.escaped;
  }
  return at->second ? nullptr : object;
}

}  // namespace heddle::pass
