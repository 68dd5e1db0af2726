// The version of heddle; CMakeLists.txt reads it from here.
#pragma once

#include <string_view>

namespace heddle {

inline constexpr std::string_view version = "0.1.0";

}  // namespace heddle
