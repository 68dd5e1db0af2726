#include "runtime/blocks.hpp"

#include "runtime/clocks.hpp"
#include "runtime/memory.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/shadow.hpp"

namespace heddle::runtime {

using abi::Ordering;

void access_in_block(Fiber& self, const void* address, std::uint64_t size, bool writes,
                     const abi::Site* site) {
  check_heap(address, size);
  record_range(address, size, writes);
  order_read(self.id, address, size, Ordering::sequential);
  check_access(self.id, address, size, writes ? bit_write : 0, site);
  if (writes) order_write(self.id, address, size, Ordering::sequential, true, false);
}

unsigned step_in_block(const Op& op) {
  if (!is_enabled(op, current().id)) unsupported("waiting inside an atomic block");
  if (op.alternatives > 1) unsupported("a choice inside an atomic block");
  record_accesses(op, current().id);
  return 0;
}

}  // namespace heddle::runtime
