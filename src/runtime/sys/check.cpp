#include "runtime/sys/check.hpp"

#include <cstdio>
#include <cstring>

#include "runtime/sys/process.hpp"

namespace heddle::runtime {

void fail_check(const char* condition, const char* file, int line) {
  const char* below = std::strstr(file, "runtime/");
  char text[400];
  std::snprintf(text, sizeof text, "%s:%d: broken promise: %s", below == nullptr ? file : below,
                line, condition);
  give_up(text);
}

}  // namespace heddle::runtime
