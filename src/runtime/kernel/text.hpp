// Text for people, of limited length.
#pragma once

#include <cstddef>
#include <cstdio>

namespace heddle::runtime {

class Text {
 public:
  // Appends as printf does. What does not fit is cut off.
  template <typename... Arguments>
  void add(const char* format, Arguments... arguments) {
    const int n = std::snprintf(text_ + length_, sizeof text_ - length_, format, arguments...);
    const auto room = sizeof text_ - 1 - length_;
    length_ += static_cast<std::size_t>(n) < room ? static_cast<std::size_t>(n) : room;
  }
  bool empty() const { return length_ == 0; }
  const char* c_str() const { return text_; }

 private:
  char text_[1900] = "";  // with a site and a kind, it fits into 2048 bytes (findings.cpp)
  std::size_t length_ = 0;
};

}  // namespace heddle::runtime
