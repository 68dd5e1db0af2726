#include "runtime/hidden.hpp"

#include "runtime/memory.hpp"

namespace heddle::runtime {

Hidden hidden;

void look_at(const Part& part) { plain_read(&part, sizeof part); }
void change(const Part& part) { plain_update(&part, sizeof part); }

}  // namespace heddle::runtime
