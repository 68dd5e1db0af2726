#include "runtime/api/channels.hpp"

#include "runtime/kernel/stop.hpp"
#include "runtime/sys/export.hpp"

namespace heddle::runtime {
namespace {

struct Known {
  const heddle_channels* channels;
};
constinit Known known{};

}  // namespace

const heddle_channels& channels() {
  if (known.channels == nullptr)
    unsupported("pipes and the like in a program that was not linked by heddle cc or heddle c++");
  return *known.channels;
}

void check_not_channel(int fd) {
  if (is_channel(fd)) unsupported("more than 256 files that are open at once");
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_EXPORT void __heddle_use_channels(const heddle_channels* given) { known.channels = given; }
HEDDLE_EXPORT void __heddle_unsupported(const char* what) { unsupported(what); }
