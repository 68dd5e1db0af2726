#include "runtime/kernel/digest.hpp"

#include <cstring>

#include "runtime/kernel/hooks.hpp"
#include "runtime/kernel/recorder.hpp"
#include "runtime/kernel/thread_sets.hpp"
#include "runtime/kernel/told_states.hpp"
#include "runtime/sys/check.hpp"
#include "runtime/sys/mapping.hpp"
#include "runtime/wire/channel.hpp"
#include "runtime/wire/known_states.hpp"

namespace heddle::runtime {
namespace {

struct Digests {
  // Of a run. No savepoint lies behind the first of them.
  std::uint32_t from;   // the number of events before the first
  std::uint32_t count;  // so far
  // Outlives runs.
  abi::WireDigest* list;
};
constinit Digests digests{};

constexpr std::uint32_t never = ~0U;

}  // namespace

void begin_digests() {
  digests.count = 0;
  digests.from = request().compare == abi::Compare::nothing ? never : request().digest_from;
  if (digests.from == never) return;
  begin_telling_states();
  if (digests.list == nullptr)
    digests.list =
        static_cast<abi::WireDigest*>(map_anywhere(abi::max_steps * sizeof(abi::WireDigest)));
}

bool is_digest_due(std::uint32_t events) {
  return digests.from != never && events > digests.from + digests.count;
}

bool take_digest() {
  HEDDLE_RUNTIME_CHECK(due_threads() == 0 && digests.count < abi::max_steps);
  // Only a program that writes over the reply makes it otherwise: the engine notices that.
  if (reply().event_count != digests.from + digests.count + 1) return false;
  digests.list[digests.count++] = hooks().digest();
  if (tells_states()) [[unlikely]]
    tell_state(digests.list[digests.count - 1], reply().event_count, last_move().thread);
  return request().compare == abi::Compare::known &&
         is_known(digests.list[digests.count - 1].first);
}

void report_digests() {
  if (digests.count == 0) return;
  const std::uint64_t bytes = digests.count * sizeof(abi::WireDigest);
  void* out = add_to_reply(bytes);
  if (out == nullptr) return;
  std::memcpy(out, digests.list, bytes);
  reply().digest_count = digests.count;
}

}  // namespace heddle::runtime
