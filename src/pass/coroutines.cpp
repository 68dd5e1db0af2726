#include "pass/coroutines.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace heddle::pass {

using abi::SiteKind;
using namespace llvm;

namespace {

constexpr std::uint64_t state_bytes = 8;  // the function that resumes it

bool is_intrinsic(const Instruction& i, Intrinsic::ID id) {
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&i);
  return intrinsic != nullptr && intrinsic->getIntrinsicID() == id;
}

class Suspensions {
 public:
  Suspensions(Function& f, const Hooks& hooks, Sites& sites)
      : f_(f), hooks_(hooks), sites_(sites) {}

  void instrument() {
    SmallVector<IntrinsicInst*, 8> all;
    for (Instruction& i : instructions(f_)) {
      if (is_intrinsic(i, Intrinsic::coro_begin)) frame_ = &i;
      if (is_intrinsic(i, Intrinsic::coro_done) || is_intrinsic(i, Intrinsic::coro_suspend))
        all.push_back(cast<IntrinsicInst>(&i));
    }
    for (IntrinsicInst* i : all)
      if (i->getIntrinsicID() == Intrinsic::coro_done)
        tell(*i, hooks_.read, SiteKind::read, i->getArgOperand(0), *i);
      else if (frame_ != nullptr)
        instrument(*i);
  }

 private:
  // Another thread may resume it as soon as its state is saved: that is the last moment.
  void instrument(IntrinsicInst& suspend) {
    auto* save = dyn_cast<Instruction>(suspend.getArgOperand(0));
    write(save != nullptr ? *save : suspend, suspend);
    auto* ways = dyn_cast_or_null<SwitchInst>(suspend.getParent()->getTerminator());
    if (ways == nullptr || ways->getCondition() != &suspend) return;
    SmallVector<BasicBlock*, 2>
        next;  // to resume it, and to destroy it; else it has been suspended
    for (const auto& way : ways->cases()) next.push_back(way.getCaseSuccessor());
    for (BasicBlock* way : next)
      write(*SplitEdge(suspend.getParent(), way)->getFirstInsertionPt(), suspend);
  }

  void write(Instruction& before, const Instruction& at) {
    tell(before, hooks_.write, SiteKind::write, frame_, at);
  }

  void tell(Instruction& before, FunctionCallee hook, SiteKind kind, Value* address,
            const Instruction& at) {
    IRBuilder<> builder(&before);
    builder.CreateCall(hook, {address, sites_.at(at, kind, abi::Ordering::none, state_bytes)})
        ->setDebugLoc(at.getDebugLoc());
  }

  Function& f_;
  const Hooks& hooks_;
  Sites& sites_;
  Instruction* frame_ = nullptr;
};

}  // namespace

void instrument_suspensions(Function& f, const Hooks& hooks, Sites& sites) {
  Suspensions(f, hooks, sites).instrument();
}

}  // namespace heddle::pass
