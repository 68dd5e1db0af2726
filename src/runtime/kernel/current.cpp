#include "runtime/kernel/current.hpp"

namespace heddle::runtime {

constinit detail::Now detail::now{};

}  // namespace heddle::runtime
