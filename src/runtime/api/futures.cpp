// Futures that are made ready when a thread ends: libstdc++ does that in its library, without
// hooks.
#include <dlfcn.h>

#include <cstddef>
#include <memory>

#include "runtime/abi/abi.h"
#include "runtime/sys/export.hpp"

using heddle::abi::Ordering;
using heddle::abi::Site;
using heddle::abi::SiteKind;

HEDDLE_EXPORT void __heddle_update(void* address, const Site* site);

namespace {

// As libstdc++ has them: std::__future_base::_State_baseV2 and its _Make_ready.
struct State {
  void* table;
  void* result;
  unsigned status;  // and whether a thread waits: set by an exchange, and then all are woken
};
struct MakeReady {
  MakeReady* next;
  void (*run)(void*);
  std::weak_ptr<State> state;
};

constexpr Site site{"<future>",       "at_thread_exit", 0, 0, SiteKind::update, Ordering::release,
                    sizeof(unsigned), Ordering::none,   0, 0};

constexpr char set_name[] = "_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv";

// As libstdc++ has them.
struct RealFunctions {
  void (*set)(MakeReady*);
  void (*run)(void*);
};
constinit RealFunctions real{};

void run(void* p) {
  if (const auto state = static_cast<MakeReady*>(p)->state.lock())
    __heddle_update(&state->status, &site);
  real.run(p);
}

}  // namespace

HEDDLE_EXPORT void heddle_make_ready(MakeReady* self) asm(
    "_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv");
void heddle_make_ready(MakeReady* self) {
  if (real.set == nullptr)
    real.set = reinterpret_cast<void (*)(MakeReady*)>(dlsym(RTLD_NEXT, set_name));
  real.set(self);
  real.run = self->run;
  self->run = run;
}
