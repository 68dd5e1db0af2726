#include "runtime/memory/hidden.hpp"

#include "runtime/kernel/access_bits.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/updates.hpp"
#include "runtime/kernel/visible.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/memory/shadow.hpp"

namespace heddle::runtime {

void look_at(const Part& part) { plain_read(&part, sizeof part); }

// Most often, nothing is visible and no thread is tried: then little is left of a plain update.
void change(const Part& part) {
  if (!is_running()) return;
  Fiber& self = current();
  if (!is_concurrent() || self.in_atomic != 0 || any_visible() || is_trying())
    return plain_update(&part, sizeof part);
  settle(self);
  count_effect(self);
  check_access(self.id, &part, sizeof part, bit_plain | bit_write, self.site);
}

}  // namespace heddle::runtime
