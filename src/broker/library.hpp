// The text of the library of functions.
#pragma once

#include <string_view>

namespace heddle::broker {

// In Lua, for Redis 7. Without its first line, which has the name, and without `prefix`, with which
// the names of all functions begin.
extern const std::string_view library_text;

}  // namespace heddle::broker
