#include "runtime/wire/known_states.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/sys/mapping.hpp"
#include "runtime/sys/system_call.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

struct Known {
  std::uint32_t bits;  // of the table that is mapped; 0: none
  const std::uint64_t* slots;
};
constinit Known known{};

// If the system has no memory for it, nothing is known, and runs are longer.
[[gnu::noinline]] void map_table(std::uint32_t bits) {
  if (known.slots != nullptr)
    unmap(const_cast<std::uint64_t*>(known.slots), abi::known_bytes(known.bits));
  known = {};
  if (!abi::may_be_known_bits(bits)) return;
  const long p = system_call(SYS_mmap, 0, static_cast<long>(abi::known_bytes(bits)), PROT_READ,
                             MAP_SHARED, channel_file(), static_cast<long>(abi::known_at(bits)));
  if (p > 0) known = {bits, reinterpret_cast<const std::uint64_t*>(p)};
}

}  // namespace

bool is_known(std::uint64_t key) {
  if (key == 0) return false;
  const std::uint32_t bits = channel().known.bits.load(std::memory_order_acquire);
  if (bits != known.bits) map_table(bits);
  if (known.slots == nullptr) return false;
  const std::uint64_t mask = abi::known_slots(bits) - 1;
  for (std::uint64_t k = 0; k <= mask; ++k) {
    const std::uint64_t found = __atomic_load_n(&known.slots[(key + k) & mask], __ATOMIC_RELAXED);
    if (found == key) return true;
    if (found == 0) return false;
  }
  return false;
}

}  // namespace heddle::runtime
