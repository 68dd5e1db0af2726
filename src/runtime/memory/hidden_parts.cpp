#include "runtime/memory/hidden_parts.hpp"

namespace heddle::runtime {

Hidden hidden;

}  // namespace heddle::runtime
