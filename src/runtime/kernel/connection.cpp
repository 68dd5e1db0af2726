#include "runtime/kernel/connection.hpp"

#include <cstddef>

#include "runtime/kernel/current.hpp"
#include "runtime/kernel/fiber.hpp"
#include "runtime/kernel/modules.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
bool connect() {
  if (!open_channel()) return false;
  channel().whereabouts = {0, offsetof(Fiber, id), offsetof(Fiber, site), 0,
                           reinterpret_cast<std::uint64_t>(&detail::now.fiber)};
  share_modules(channel().modules, names().calls);
  channel().opened = 1;
  return true;
}
#pragma GCC diagnostic pop

}  // namespace heddle::runtime
