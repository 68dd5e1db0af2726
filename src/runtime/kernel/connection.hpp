// How the worker registers with the engine.
#pragma once

namespace heddle::runtime {

// Opens the channel, and tells the engine where to find the current thread and the calls of
// modules. True if there is an engine.
bool connect();

}  // namespace heddle::runtime
