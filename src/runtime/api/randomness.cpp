// Sources of true randomness, made deterministic: the same schedule must be the same run. (What the
// C library computes, rand and the like, is reset with its memory.)
#include <sys/types.h>

#include <cstdint>
#include <cstring>

#include "base/random.hpp"
#include "runtime/api/uses.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/sys/export.hpp"

using namespace heddle::runtime;

namespace {

std::uint64_t next() {
  if (!is_running()) return heddle::Random(1).next();
  Fiber& self = current();
  self.effects.count();
  return heddle::Random(self.id << 20 | ++self.choices).next();
}

void fill(void* out, std::size_t size) {
  auto* bytes = static_cast<char*>(out);
  for (std::size_t k = 0; k < size; ++k) bytes[k] = static_cast<char>(next());
}

}  // namespace

HEDDLE_EXPORT ssize_t getrandom(void* out, std::size_t size, unsigned flags) {
  tell<"getrandom">(HEDDLE_CALLED_FROM, out, size, flags);
  fill(out, size);
  return static_cast<ssize_t>(size);
}
HEDDLE_EXPORT int getentropy(void* out, std::size_t size) noexcept {
  tell<"getentropy">(HEDDLE_CALLED_FROM, out, size);
  fill(out, size);
  return 0;
}
HEDDLE_EXPORT std::uint64_t __heddle_random() { return next(); }
HEDDLE_EXPORT std::uint32_t arc4random() noexcept { return static_cast<std::uint32_t>(next()); }

// std::random_device::_M_getval and _M_init, as libstdc++ has them.
HEDDLE_EXPORT unsigned _ZNSt13random_device9_M_getvalEv(void*) {
  return static_cast<unsigned>(next());
}
