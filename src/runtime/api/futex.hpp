// The system call that the standard library waits with.
#pragma once

namespace heddle::runtime {

// With the arguments of the call. `counts`: the caller uses the result.
long futex(const long* arguments, bool counts);
bool is_futex_wait(const long* arguments);

}  // namespace heddle::runtime
