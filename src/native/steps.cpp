#include "native/steps.hpp"

#include <algorithm>
#include <bit>
#include <initializer_list>

#include "model/access.hpp"
#include "runtime/abi/messages.h"

namespace heddle::native {

using findings::Action;
using findings::Object;
using findings::Origin;
using findings::Row;
using findings::Verb;

namespace {

// Incarnations are above it.
constexpr std::uint64_t address_mask = (std::uint64_t{1} << abi::address_bits) - 1;

Mode mode_of(const abi::WireAccess& a) { return static_cast<Mode>(a.object >> abi::mode_shift); }

std::uint64_t key_of(const abi::WireAccess& a) {
  return a.object & ((std::uint64_t{1} << abi::mode_shift) - 1);
}

// The first byte that is accessed.
std::uint64_t address_of(const abi::WireAccess& a) {
  const std::uint64_t key = key_of(a);
  if (class_of(mode_of(a)) != ObjectClass::memory) return key & address_mask;
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

// The key of the object that an access is to, whatever it does there.
std::uint64_t shared_key(const abi::WireAccess& a) {
  return is_memory(mode_of(a)) ? key_of(a) >> abi::mask_bits << abi::granule_bits
                               : key_of(a) & address_mask;
}

// Functions of libstdc++ that only call those of the runtime: their steps are attributed to their
// caller. They have no lines.
bool is_threads_api(const Place& frame) {
  return frame.line == 0 &&
         std::ranges::any_of(
             std::initializer_list<const char*>{
                 "std::condition_variable::", "std::thread::", "std::_V2::condition_variable_any::",
                 "std::__atomic_futex_unsigned_base::"},
             [&](const char* prefix) { return frame.function.starts_with(prefix); });
}

}  // namespace

StepReader::StepReader(const Explanation& run, const Symbols& symbols, Names& names)
    : symbols_(symbols), names_(names) {
  const auto add = [&](const Explanation::Step& s) {
    for (const abi::WireAccess& a : s.accesses)
      if (class_of(mode_of(a)) != ObjectClass::thread)
        users_[shared_key(a)] |= std::uint64_t{1} << s.move.thread;
  };
  for (const Explanation::Step& s : run.steps) {
    add(s);
    if (s.accesses.empty() || class_of(mode_of(s.accesses[0])) != ObjectClass::mailbox) continue;
    const abi::WireAccess& a = s.accesses[0];
    std::size_t& waiting = waiting_[key_of(a)];
    if (mode_of(a) == Mode::send) {
      messages_[a.a] = message_text(s);
      ++waiting;
    } else {
      if (a.a != abi::no_message) --waiting;
      stay_[&s] = waiting;
    }
  }
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
    return class_of(mode_of(a)) != ObjectClass::thread &&
           class_of(mode_of(a)) != ObjectClass::mailbox && mode_of(a) != Mode::time_out &&
           !awaited_.contains(shared_key(a)) && !names_.is_programs(address_of(a));
  });
}

// "Ping", "Ping, tag 3", "tag 3"
std::string StepReader::message_text(const Explanation::Step& step) const {
  if (step.sent.empty()) return "";
  const abi::WireAccess& p = step.sent[0];
  const std::uint64_t kind = p.object & (abi::any_kind_bit - 1),
                      tag = std::uint64_t{p.b} << 32 | p.a;
  std::string out = kind == 0 ? "" : symbols_.kind_name(kind);
  if (kind == 0 || tag != 0) out += (out.empty() ? "tag " : ", tag ") + std::to_string(tag);
  return out;
}

void StepReader::add_message(const Explanation::Step& step, Action& to) const {
  const abi::WireAccess& a = step.accesses[0];
  const auto message = messages_.find(a.a);
  std::string text = message == messages_.end() ? "" : message->second;
  if (const auto stay = stay_.find(&step); stay != stay_.end() && stay->second != 0)
    text += (text.empty() ? "" : "; ") + std::to_string(stay->second) +
            (stay->second == 1 ? " stays" : " stay") + " in its mailbox";
  if (!text.empty()) to.after = findings::Value{0, text};
}

Object StepReader::object(const abi::WireAccess& a) const {
  const ObjectClass kind = class_of(mode_of(a));
  if (kind == ObjectClass::thread || kind == ObjectClass::mailbox)
    return {kind, std::to_string(key_of(a))};
  return {kind, names_.object(address_of(a)), address_of(a)};
}

void StepReader::add_values(const abi::WireValue& v, bool reads, bool writes, Action& to) const {
  to.object.size = v.size;
  const auto value = [&](std::uint64_t bits) {
    return findings::Value{bits, names_.value(bits, v.address, v.size)};
  };
  if (reads && (v.known & abi::known_before) != 0) to.before = value(v.before);
  if (writes && (v.known & abi::known_after) != 0) to.after = value(v.after);
}

Action StepReader::memory_action(const Explanation::Step& step) const {
  const abi::WireAccess& access = step.accesses[0];
  const Mode mode = mode_of(access);
  Action out{findings::verb_of(mode), object(access)};
  if (symbols_.site_kind(step.site) == abi::SiteKind::compare_exchange)
    out.verb = mode == Mode::read ? Verb::compare_exchange_fail : Verb::compare_exchange;
  const bool reads = mode != Mode::write && mode != Mode::write_in_block;
  add_values(step.value, reads, writes(mode), out);
  return out;
}

// One of several accesses of a block: whether it reads before it writes is not shown.
Action StepReader::action(const abi::WireAccess& a) const {
  const Mode mode = mode_of(a);
  return {is_memory(mode) && writes(mode) ? Verb::write : findings::verb_of(mode), object(a)};
}

void StepReader::read(const Explanation::Step& step, Row& to) const {
  to.alternative = step.move.alternative;
  to.alternatives = step.alternatives;
  to.verb = Verb::atomic_block;
  if (step.accesses.empty()) {
    if (step.alternatives > 1 && !step.varies) to.verb = Verb::choose;
    return;
  }
  const Mode first = mode_of(step.accesses[0]);
  if (first == Mode::time_out) {
    to.verb = Verb::time_out;
    return;
  }
  const bool waits = step.accesses.size() == 2 && mode_of(step.accesses[1]) == Mode::wait;
  // A large access is one action, though it touches several granules.
  const bool one_memory = is_memory(first) && first != Mode::free &&
                          (step.value.size != 0 || step.accesses.size() == 1);
  if (waits) {
    to.actions.push_back(action(step.accesses[1]));
    if (first == Mode::unlock) to.actions.push_back(action(step.accesses[0]));
  } else if (one_memory) {
    to.actions.push_back(memory_action(step));
  } else {
    for (const abi::WireAccess& a : step.accesses) to.actions.push_back(action(a));
  }
  if (class_of(first) == ObjectClass::mailbox) add_message(step, to.actions[0]);
  if (waits || to.actions.size() == 1) to.verb = to.actions[0].verb;
}

void StepReader::read(const abi::WireSpot& access, Row& to) const {
  const bool frees = (access.bits & abi::bit_free) != 0,
             writes = (access.bits & abi::bit_write) != 0;
  const std::uint64_t address = access.value.address;
  Action action{frees    ? Verb::free
                : writes ? Verb::write
                         : Verb::read,
                {ObjectClass::memory, names_.object(address), address}};
  if (!frees) add_values(access.value, !writes, writes, action);
  to.verb = action.verb;
  to.actions.push_back(std::move(action));
}

void StepReader::read_waiting(const Explanation::Step& step, Row& to) const {
  if (step.accesses.empty()) return;
  const abi::WireAccess& needed = step.accesses[0];
  to.actions.push_back(action(needed));
  to.verb = to.actions[0].verb;
  if (class_of(mode_of(needed)) == ObjectClass::thread) return;
  if (const auto held = held_.find(shared_key(needed)); held != held_.end())
    for (const auto& [thread, number] : held->second) to.holders.push_back({thread, number});
}

Origin StepReader::origin(const Explanation::Step& step, std::size_t number) {
  using Relation = Origin::Relation;
  const unsigned self = step.move.thread;
  Origin out;
  const auto look_up = [&](const Uses& uses, std::uint64_t key, Relation relation) {
    const auto use = uses.find(key);
    if (use == uses.end() || use->second.thread == self || out.relation != Relation::none) return;
    out = {relation, {use->second.thread}, use->second.step};
  };
  for (const abi::WireAccess& a : step.accesses) {
    const Mode mode = mode_of(a);
    if (is_memory(mode))
      for_bytes(a, [&](std::uint64_t byte) {
        if (observes_memory(mode)) look_up(writer_, byte, Relation::from);
        if (writes(mode)) writer_[byte] = {self, number};
      });
    const std::uint64_t object = shared_key(a);
    if (mode == Mode::send) sender_[a.a] = {self, number};
    if (mode == Mode::receive || mode == Mode::try_receive) look_up(sender_, a.a, Relation::from);
    if (receives(mode)) look_up(giver_, object, takes(mode) ? Relation::after : Relation::from);
    if (gives(mode)) giver_[object] = {self, number};
    if (takes(mode)) held_[object][self] = number;
    if (gives_lock(mode)) held_[object].erase(self);
  }
  if (out.relation == Relation::none && !step.joined.empty()) out = {Relation::after, step.joined};
  return out;
}

}  // namespace heddle::native
