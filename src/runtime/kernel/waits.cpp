#include "runtime/kernel/waits.hpp"

#include "runtime/sys/check.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {

constinit detail::Waits detail::waits{};  // as the settings have them

using detail::waits;

namespace {

void note_named(unsigned id, std::uint32_t index) {
  if (waits.named[id] <= index) waits.named[id] = index + 1;
}

}  // namespace

void set_waits() {
  const abi::Settings& s = settings();
  HEDDLE_RUNTIME_CHECK(s.wait_count <= abi::max_waits);
  std::uint16_t count = 0;
  waits.threads = 0;
  for (unsigned id = 0; id < abi::max_threads; ++id) {
    waits.begin[id] = count;
    for (std::uint32_t k = 0; k < s.wait_count; ++k)
      if (s.waits[k].second_thread == id) waits.all[count++] = s.waits[k];
    if (count != waits.begin[id]) waits.threads |= bit(id);
  }
  waits.begin[abi::max_threads] = count;
  HEDDLE_RUNTIME_CHECK(count == s.wait_count);
  for (std::uint32_t& named : waits.named) named = 0;
  for (std::uint32_t k = 0; k < count; ++k) {
    const abi::WireWait& w = waits.all[k];
    HEDDLE_RUNTIME_CHECK(w.first_thread < abi::max_threads);
    note_named(w.first_thread, w.first_index);
    note_named(w.second_thread, w.second_index);
  }
}

bool detail::holds_back(unsigned id) {
  for (std::uint32_t k = waits.begin[id]; k < waits.begin[id + 1]; ++k) {
    const abi::WireWait& w = waits.all[k];
    if (w.second_index == fiber(id).taken && fiber(w.first_thread).taken <= w.first_index)
      return true;
  }
  return false;
}

}  // namespace heddle::runtime
