// The last word of this process to the engine: why it ends, if the program is not the cause.
#pragma once

#include "runtime/abi/wire.h"

namespace heddle::runtime {

// Where it is written, once the channel is open.
void set_last_word(abi::LastWord& word);

// For the engine, if there is one. May be called at any time: before the channel is open, too.
void leave_word(abi::Word kind, const char* text);

}  // namespace heddle::runtime
