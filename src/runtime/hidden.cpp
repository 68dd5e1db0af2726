#include "runtime/hidden.hpp"

#include "runtime/ending.hpp"
#include "runtime/memory.hpp"
#include "runtime/shadow.hpp"
#include "runtime/updates.hpp"
#include "runtime/visible.hpp"

namespace heddle::runtime {

Hidden hidden;

void look_at(const Part& part) { plain_read(&part, sizeof part); }

// Most often, nothing is visible and nothing is tried: then little is left of a plain update.
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
