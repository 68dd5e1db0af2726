// Hooks for what is no access by an instruction of LLVM: intrinsic functions and inline assembly.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>

#include "pass/instrument.hpp"
#include "pass/intrinsics.hpp"

namespace heddle::pass {

using abi::Ordering;
using abi::SiteKind;
using namespace llvm;

// The end of a variable that other threads may know of counts as a write: who uses it must be
// ordered before. (Not in main: the program ends there, and with it all threads.)
void Instrumenter::end_of_life(IntrinsicInst& i) {
  const auto* variable = dyn_cast<AllocaInst>(i.getArgOperand(1)->stripPointerCasts());
  const Function& f = *i.getFunction();
  if (variable == nullptr || f.isPresplitCoroutine() || f.getName() == "main" ||
      !privacy_.may_be_shared(*variable))
    return;
  constexpr std::uint64_t most = 256;  // of a large one, the beginning stands for all of it
  const auto size = variable->getAllocationSize(layout_);
  if (size && !size->isScalable() && !size->isZero())
    hook(i, hooks_.end,
         {i.getArgOperand(1), sites_.at(i, SiteKind::write, Ordering::none,
                                        std::min<std::uint64_t>(size->getFixedValue(), most))});
}

void Instrumenter::instrument_intrinsic(IntrinsicInst& i) {
  if (i.getIntrinsicID() == Intrinsic::lifetime_end) return end_of_life(i);
  if (const Ordering ordering = fence_of(i); ordering != Ordering::none)
    return hook(i, hooks_.fence, {sites_.at(i, SiteKind::fence, ordering)});
  const std::string name =
      (i.getCalledFunction()->getName() + " (" + sites_.text_of(i) + ")").str();
  if (may_differ(i)) return tell_unseen(i, abi::unseen_difference, name);
  if (make_deterministic(i) || !i.mayReadOrWriteMemory()) return;
  IRBuilder<> builder(&i);
  const auto accesses = accesses_of_intrinsic(i, builder);
  if (!accesses) return tell_unseen(i, abi::unseen_instruction, name);
  for (const IntrinsicAccess& a : *accesses) range(i, a.address, a.size, a.writes);
}

void Instrumenter::instrument_assembly(CallBase& call) {
  IRBuilder<> builder(&call);
  const auto accesses = accesses_of_assembly(call, builder);
  if (!accesses || has_several_steps(call, *accesses)) {
    if (may_access_memory(call))
      tell_unseen(call, abi::unseen_assembly, sites_.text_of(call));
    else if (may_differ(call))
      tell_unseen(call, abi::unseen_difference, "inline assembly (" + sites_.text_of(call) + ")");
    return;
  }
  bool told_all = true;
  for (const AssemblyAccess& a : *accesses) {
    if (a.address == nullptr || !privacy_.is_private(a.address))
      hook_assembly(call, a);
    else
      told_all &= a.kind == AssemblyAccess::read;
  }
  if (told_all) mark_told(call);
}

// All hooks come before the assembly, which is then executed at once: others could not come in
// between two steps of it.
bool Instrumenter::has_several_steps(const CallBase& call, ArrayRef<AssemblyAccess> accesses) {
  const bool is_volatile = cast<InlineAsm>(call.getCalledOperand())->hasSideEffects();
  return count_if(accesses, [&](const AssemblyAccess& a) {
           const bool simple = a.kind == AssemblyAccess::read || a.kind == AssemblyAccess::write;
           return a.address != nullptr && a.kind != AssemblyAccess::change &&
                  (!simple || is_volatile) && !privacy_.is_private(a.address);
         }) > 1;
}

// Where it is volatile, one access by one instruction is meant, as by `volatile` variables: others
// may do the same at the same time.
void Instrumenter::hook_assembly(CallBase& call, const AssemblyAccess& a) {
  const bool plain = !cast<InlineAsm>(call.getCalledOperand())->hasSideEffects();
  const auto site = [&](SiteKind kind, Ordering ordering, Ordering failure = Ordering::none) {
    return sites_.at(call, kind, ordering, a.size, failure);
  };
  switch (a.kind) {
    case AssemblyAccess::read:
      return plain ? hook(call, hooks_.read, {a.address, site(SiteKind::read, Ordering::none)})
                   : hook(call, hooks_.load, {a.address, site(SiteKind::load, Ordering::acquire)});
    case AssemblyAccess::write:
      return plain
                 ? hook(call, hooks_.write, {a.address, site(SiteKind::write, Ordering::none)})
                 : hook(call, hooks_.store, {a.address, site(SiteKind::store, Ordering::release)});
    case AssemblyAccess::change:
      hook(call, hooks_.read, {a.address, site(SiteKind::read, Ordering::none)});
      return hook(call, hooks_.write, {a.address, site(SiteKind::write, Ordering::none)});
    case AssemblyAccess::update:
      return hook(call, hooks_.update, {a.address, site(SiteKind::update, Ordering::sequential)});
    case AssemblyAccess::compare_exchange: {
      Constant* both = site(SiteKind::compare_exchange, Ordering::sequential, Ordering::sequential);
      if (a.size > 8)
        return hook(call, hooks_.compare_exchange_wide,
                    {a.address, both, a.expected, a.expected_high});
      return hook(call, hooks_.compare_exchange, {a.address, both, a.expected});
    }
    case AssemblyAccess::full_fence:
      return hook(call, hooks_.fence, {site(SiteKind::fence, Ordering::sequential)});
    case AssemblyAccess::read_fence:
      return hook(call, hooks_.fence, {site(SiteKind::fence, Ordering::acquire)});
    case AssemblyAccess::write_fence:
      return hook(call, hooks_.fence, {site(SiteKind::fence, Ordering::release)});
  }
}

}  // namespace heddle::pass
