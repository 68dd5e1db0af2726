// The worker makes itself known to the engine.
#pragma once

namespace heddle::runtime {

// Opens the channel, and tells the engine where it finds what runs, and what modules call. True if
// there is an engine.
bool connect();

}  // namespace heddle::runtime
