#include "native/steps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <initializer_list>

#include "model/access.hpp"

namespace heddle::native {
namespace {

constexpr std::uint64_t address_bits = (std::uint64_t{1} << 47) - 1;  // above: incarnations

Mode mode_of(const abi::WireAccess& a) { return static_cast<Mode>(a.object >> abi::mode_shift); }

std::uint64_t key_of(const abi::WireAccess& a) {
  return a.object & ((std::uint64_t{1} << abi::mode_shift) - 1);
}

// The first byte that is meant.
std::uint64_t address_of(const abi::WireAccess& a) {
  const std::uint64_t key = key_of(a);
  if (class_of(mode_of(a)) != ObjectClass::memory) return key & address_bits;
  return (key >> abi::mask_bits << abi::granule_bits) +
         static_cast<unsigned>(std::countr_zero((key & 0xff) | 0x100));
}

template <typename Visit>
void for_bytes(const abi::WireAccess& a, Visit visit) {
  const std::uint64_t key = key_of(a), granule = key >> abi::mask_bits << abi::granule_bits;
  for (unsigned k = 0; k < 8; ++k)
    if ((key >> k & 1) != 0) visit(granule + k);
}

bool is_memory(Mode mode) { return class_of(mode) == ObjectClass::memory; }
bool writes(Mode mode) {
  return mode == Mode::write || mode == Mode::write_in_block || mode == Mode::update;
}
bool takes(Mode mode) {
  return mode == Mode::lock || mode == Mode::try_lock || mode == Mode::read_lock ||
         mode == Mode::try_read_lock || mode == Mode::write_lock || mode == Mode::try_write_lock;
}
bool gives_lock(Mode mode) {
  return mode == Mode::unlock || mode == Mode::read_unlock || mode == Mode::write_unlock;
}
bool gives(Mode mode) {
  return gives_lock(mode) || mode == Mode::signal || mode == Mode::broadcast ||
         mode == Mode::sem_post;
}
bool receives(Mode mode) {
  return takes(mode) || mode == Mode::wake || mode == Mode::wake_all || mode == Mode::sem_wait ||
         mode == Mode::sem_try_wait;
}

// Whose key names an object that threads may share.
std::uint64_t shared_key(const abi::WireAccess& a) {
  return is_memory(mode_of(a)) ? key_of(a) >> abi::mask_bits << abi::granule_bits
                               : key_of(a) & address_bits;
}

// Functions of libstdc++ that only hand over to those of the runtime: it is their caller who is at
// work. They have no lines.
bool is_threads_api(const Place& frame) {
  return frame.line == 0 &&
         std::ranges::any_of(
             std::initializer_list<const char*>{
                 "std::condition_variable::", "std::thread::", "std::_V2::condition_variable_any::",
                 "std::__atomic_futex_unsigned_base::"},
             [&](const char* prefix) { return frame.function.starts_with(prefix); });
}

// {} is the object.
const char* format_of(Mode mode) {
  switch (mode) {
    case Mode::free:
      return "free {}";
    case Mode::lock:
      return "lock {}";
    case Mode::try_lock:
      return "try to lock {}: done";
    case Mode::try_lock_fail:
      return "try to lock {}: it is locked";
    case Mode::unlock:
    case Mode::read_unlock:
    case Mode::write_unlock:
      return "unlock {}";
    case Mode::read_lock:
      return "lock {} to read";
    case Mode::try_read_lock:
      return "try to lock {} to read: done";
    case Mode::try_read_lock_fail:
      return "try to lock {} to read: it is locked";
    case Mode::write_lock:
      return "lock {} to write";
    case Mode::try_write_lock:
      return "try to lock {} to write: done";
    case Mode::try_write_lock_fail:
      return "try to lock {} to write: it is locked";
    case Mode::wait:
      return "wait on {}";
    case Mode::signal:
      return "signal {}";
    case Mode::broadcast:
      return "broadcast {}";
    case Mode::wake:
    case Mode::wake_all:
      return "wake from {}";
    case Mode::sem_wait:
      return "take from {}";
    case Mode::sem_try_wait:
      return "try to take from {}: done";
    case Mode::sem_try_wait_fail:
      return "try to take from {}: it is empty";
    case Mode::sem_post:
      return "post to {}";
    case Mode::arrive:
      return "arrive at {}";
    case Mode::leave:
      return "leave {}";
    case Mode::create:
      return "create thread {}";
    default:
      return "{}";
  }
}

const char* waiting_format(Mode mode) {
  switch (mode) {
    case Mode::lock:
      return "waits to lock {}";
    case Mode::read_lock:
      return "waits to lock {} to read";
    case Mode::write_lock:
      return "waits to lock {} to write";
    case Mode::wake:
    case Mode::wake_all:
      return "waits for a signal of {}";
    case Mode::sem_wait:
      return "waits to take from {}";
    case Mode::leave:
      return "waits for others at {}";
    case Mode::join:
      return "waits for the end of thread {}";
    default:
      return "waits";
  }
}

}  // namespace

StepReader::StepReader(const Explanation& run, const Symbols& symbols, Names& names)
    : symbols_(symbols), names_(names) {
  const auto add = [&](const Explanation::Step& s) {
    for (const abi::WireAccess& a : s.accesses)
      if (class_of(mode_of(a)) != ObjectClass::thread)
        users_[shared_key(a)] |= std::uint64_t{1} << s.move.thread;
  };
  for (const Explanation::Step& s : run.steps) add(s);
  for (const Explanation::Step& s : run.waiting) {
    add(s);
    for (const abi::WireAccess& a : s.accesses) awaited_.insert(shared_key(a));
  }
}

bool StepReader::is_routine(const Explanation::Step& step) {
  return step.accesses.size() == 1 && class_of(mode_of(step.accesses[0])) == ObjectClass::thread;
}

bool StepReader::is_own(const Explanation::Step& step) const {
  for (const abi::WireAccess& a : step.accesses)
    if (class_of(mode_of(a)) == ObjectClass::thread || mode_of(a) == Mode::time_out ||
        !std::has_single_bit(users_.at(shared_key(a))))
      return false;
  return !step.accesses.empty();
}

bool StepReader::is_librarys(const Explanation::Step& step, const std::vector<Place>& stack) const {
  if (step.accesses.empty() || stack.empty()) return false;
  const auto innermost = std::ranges::find_if_not(stack, is_threads_api);
  if (innermost == stack.end() || innermost->line != 0) return false;
  return std::ranges::all_of(step.accesses, [&](const abi::WireAccess& a) {
    return class_of(mode_of(a)) != ObjectClass::thread && mode_of(a) != Mode::time_out &&
           !awaited_.contains(shared_key(a)) && !names_.is_programs(address_of(a));
  });
}

std::string StepReader::value_text(const abi::WireValue& v, bool reads, bool writes) const {
  const auto text = [&](std::uint64_t value) { return names_.value(value, v.address, v.size); };
  const bool before = (v.known & abi::known_before) != 0, after = (v.known & abi::known_after) != 0;
  if (reads && writes && before && after)
    return fmt::format(": {} → {}", text(v.before), text(v.after));
  if (writes && after) return " = " + text(v.after);
  if (reads && before) return " → " + text(v.before);
  return "";
}

std::string StepReader::memory_text(const Explanation::Step& step, Mode mode) const {
  const auto kind = symbols_.site_kind(step.site);
  const std::string object = names_.object(address_of(step.accesses[0]));
  const bool compares = kind == abi::SiteKind::compare_exchange;
  const bool reads = mode != Mode::write && mode != Mode::write_in_block;
  if (compares && mode == Mode::read)
    return fmt::format("compare-exchange {}{}: fails", object, value_text(step.value, true, false));
  const char* verb = compares               ? "compare-exchange"
                     : mode == Mode::update ? "update"
                     : reads                ? "read"
                                            : "write";
  return fmt::format("{} {}{}", verb, object, value_text(step.value, reads, writes(mode)));
}

std::string StepReader::what(const Explanation::Step& step) const {
  if (step.accesses.empty())
    return step.alternatives > 1 && !step.varies
               ? fmt::format("choose {} of 0 to {}", step.move.alternative, step.alternatives - 1)
               : "atomic block";
  const Mode first = mode_of(step.accesses[0]);
  if (first == Mode::time_out && step.alternatives > 1)
    return fmt::format("of {} time limits, number {} is first", step.alternatives,
                       step.move.alternative);
  if (first == Mode::time_out) return "time limit reached";
  // A large access is one, though it touches several granules.
  const bool one_memory = is_memory(first) && first != Mode::free && step.value.size != 0;
  const bool waits = step.accesses.size() == 2 && mode_of(step.accesses[1]) == Mode::wait;
  if (waits && first == Mode::unlock)
    return fmt::format("wait on {}, unlock {}", names_.object(address_of(step.accesses[1])),
                       names_.object(address_of(step.accesses[0])));
  if (waits) return fmt::format("wait on {}", names_.object(address_of(step.accesses[1])));
  if (one_memory) return memory_text(step, first);
  std::string out;
  if (step.accesses.size() > 1) out = "atomic block: ";
  add_block(step, out);
  return out;
}

void StepReader::add_block(const Explanation::Step& step, std::string& out) const {
  const std::size_t begin = out.size();
  for (const abi::WireAccess& a : step.accesses) {
    const Mode mode = mode_of(a);
    if (out.size() != begin) out += ", ";
    if (is_memory(mode) && mode != Mode::free)
      out += fmt::format("{} {}", writes(mode) ? "write" : "read", names_.object(address_of(a)));
    else if (class_of(mode) == ObjectClass::thread)
      out += fmt::format(fmt::runtime(format_of(mode)), key_of(a));
    else
      out += fmt::format(fmt::runtime(format_of(mode)), names_.object(address_of(a)));
  }
}

std::string StepReader::what(const abi::WireSpot& access) const {
  constexpr std::uint8_t bit_write = 1, bit_free = 4;
  const std::string object = names_.object(access.value.address);
  if ((access.bits & bit_free) != 0) return "free " + object;
  const bool writes = (access.bits & bit_write) != 0;
  return fmt::format("{} {}{}", writes ? "write" : "read", object,
                     value_text(access.value, !writes, writes));
}

std::string StepReader::with(const Explanation::Step& step) {
  const unsigned self = step.move.thread;
  std::string out;
  for (const abi::WireAccess& a : step.accesses) {
    const Mode mode = mode_of(a);
    const auto tell = [&](const std::map<std::uint64_t, unsigned>& uses, std::uint64_t key,
                          const char* word) {
      const auto use = uses.find(key);
      if (use != uses.end() && use->second != self && out.empty())
        out = fmt::format("{} thread {}", word, use->second);
    };
    if (is_memory(mode))
      for_bytes(a, [&](std::uint64_t byte) {
        if (observes_memory(mode)) tell(writer_, byte, "from");
        if (writes(mode)) writer_[byte] = self;
      });
    const std::uint64_t object = shared_key(a);
    if (receives(mode)) tell(giver_, object, takes(mode) ? "after" : "from");
    if (gives(mode)) giver_[object] = self;
    if (takes(mode)) held_[object].insert(self);
    if (gives_lock(mode)) held_[object].erase(self);
  }
  if (out.empty() && !step.joined.empty())
    out = fmt::format("after thread{} {}", step.joined.size() > 1 ? "s" : "",
                      fmt::join(step.joined, ", "));
  return out;
}

std::string StepReader::holders(std::uint64_t lock) const {
  const auto found = held_.find(lock);
  if (found == held_.end() || found->second.empty()) return "";
  std::string out;
  for (const unsigned thread : found->second)
    out += fmt::format("{} thread {}", out.empty() ? ", held by" : " and", thread);
  return out;
}

std::string StepReader::waits_for(const Explanation::Step& step) const {
  for (const abi::WireAccess& a : step.accesses) {
    const Mode mode = mode_of(a);
    if (class_of(mode) == ObjectClass::thread)
      return fmt::format(fmt::runtime(waiting_format(mode)), key_of(a));
    return fmt::format(fmt::runtime(waiting_format(mode)), names_.object(address_of(a))) +
           holders(shared_key(a));
  }
  return "waits";
}

}  // namespace heddle::native
