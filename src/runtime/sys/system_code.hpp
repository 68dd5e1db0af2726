// The code of the C library, of libgcc's unwinder and of libatomic. Calls from there must not
// yield: they may hold locks of their own. So no other thread ever finds these locks held, nor do
// they count as steps.
#pragma once

namespace heddle::runtime {

// When all libraries are loaded. Until then no code counts as theirs.
void find_system_code();

bool is_in_system(const void* code);

}  // namespace heddle::runtime
