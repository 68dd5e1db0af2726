#include "runtime/modules.hpp"

#include "runtime/abi.h"
#include "runtime/export.hpp"
#include "runtime/process.hpp"

namespace heddle::runtime {

bool detail::has_compares = false;

namespace {

abi::Module* modules[abi::max_modules];
std::uint32_t module_count, left_out;

}  // namespace

// Until then, modules note in memory of their own. Where there is no room, they go on with that.
void share_modules(abi::Calls& calls) {
  calls.modules = module_count;
  calls.modules_left_out = left_out;
  calls.used = 0;
  for (std::uint32_t k = 0; k < module_count; ++k) {
    abi::Module& m = *modules[k];
    if (m.version != abi::version)
      refuse("this program was built for another version of heddle: build it again");
    detail::has_compares = detail::has_compares || m.compares != 0;
    const bool fits = m.outside_count <= abi::max_called - calls.used;
    calls.module[k] = {reinterpret_cast<std::uint64_t>(&m), fits ? calls.used : abi::not_noted, 0};
    if (!fits) continue;
    std::uint8_t* called = calls.called + calls.used;
    for (std::uint32_t n = 0; n < m.outside_count; ++n) called[n] |= m.called[n];
    m.called = called;
    calls.used += m.outside_count;
  }
}

}  // namespace heddle::runtime

HEDDLE_EXPORT void __heddle_module(heddle::abi::Module* module) {
  using namespace heddle::runtime;
  if (module_count < heddle::abi::max_modules)
    modules[module_count++] = module;
  else
    ++left_out;
}
