// Descriptors that are the program's own, not the system's: abi/channels.h.
#pragma once

#include "runtime/abi/channels.h"

namespace heddle::runtime {

inline bool is_channel(int fd) { return fd >= heddle_first_channel && fd < heddle_end_of_channels; }

// REQUIRES: the program has created one. (A number that looks like one, and is none, is refused.)
const heddle_channels& channels();

// To be called of a descriptor that the system has assigned.
void check_not_channel(int fd);

}  // namespace heddle::runtime
