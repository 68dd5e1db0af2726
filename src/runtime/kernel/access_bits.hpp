// What an access was, as data races are reported with it: see abi::bit_write.
#pragma once

#include "runtime/abi/wire.h"

namespace heddle::runtime {

using abi::bit_benign, abi::bit_free, abi::bit_hidden, abi::bit_plain, abi::bit_write;

}  // namespace heddle::runtime
