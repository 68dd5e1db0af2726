#include "findings/phrases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/check.hpp"
#include "runtime/abi/operations.h"

namespace heddle::findings {
namespace {

// The words for a verb are those of the operations that have its mode, of which runtime/abi/
// operations.def is the table. Verbs of model programs alone have words of their own.
enum class End : std::uint8_t { plain, done, failed };  // of what was tried
struct Words {
  Verb verb;
  std::string_view name;
  const abi::Operation* operation;
  End end = End::plain;
  const char* own = "";
};

constexpr const abi::Operation* of(Mode mode) { return abi::row_of(mode); }
constexpr const abi::Operation* exchange = &abi::row_of(abi::OpKind::compare_exchange);

constexpr std::array<Words, verb_count> table = {{
    {Verb::read, "read", of(Mode::read)},
    {Verb::write, "write", of(Mode::write)},
    {Verb::update, "update", of(Mode::update)},
    {Verb::compare_exchange, "compare-exchange", exchange},
    {Verb::compare_exchange_fail, "compare-exchange-fail", exchange, End::failed},
    {Verb::add, "add", nullptr, End::plain, "add to {}"},
    {Verb::alloc, "alloc", nullptr, End::plain, "allocate {}"},
    {Verb::free, "free", of(Mode::free)},
    {Verb::lock, "lock", of(Mode::lock)},
    {Verb::try_lock, "try-lock", of(Mode::try_lock), End::done},
    {Verb::try_lock_fail, "try-lock-fail", of(Mode::try_lock_fail), End::failed},
    {Verb::unlock, "unlock", of(Mode::unlock)},
    {Verb::read_lock, "read-lock", of(Mode::read_lock)},
    {Verb::try_read_lock, "try-read-lock", of(Mode::try_read_lock), End::done},
    {Verb::try_read_lock_fail, "try-read-lock-fail", of(Mode::try_read_lock_fail), End::failed},
    {Verb::read_unlock, "read-unlock", of(Mode::read_unlock)},
    {Verb::write_lock, "write-lock", of(Mode::write_lock)},
    {Verb::try_write_lock, "try-write-lock", of(Mode::try_write_lock), End::done},
    {Verb::try_write_lock_fail, "try-write-lock-fail", of(Mode::try_write_lock_fail), End::failed},
    {Verb::write_unlock, "write-unlock", of(Mode::write_unlock)},
    {Verb::wait, "wait", of(Mode::wait)},
    {Verb::signal, "signal", of(Mode::signal)},
    {Verb::broadcast, "broadcast", of(Mode::broadcast)},
    {Verb::wake, "wake", of(Mode::wake)},
    {Verb::sem_wait, "sem-wait", of(Mode::sem_wait)},
    {Verb::sem_try_wait, "sem-try-wait", of(Mode::sem_try_wait), End::done},
    {Verb::sem_try_wait_fail, "sem-try-wait-fail", of(Mode::sem_try_wait_fail), End::failed},
    {Verb::sem_post, "sem-post", of(Mode::sem_post)},
    {Verb::arrive, "arrive", of(Mode::arrive)},
    {Verb::leave, "leave", of(Mode::leave)},
    {Verb::create, "create", of(Mode::create)},
    {Verb::join, "join", of(Mode::join)},
    {Verb::send, "send", of(Mode::send)},
    {Verb::receive, "receive", of(Mode::receive)},
    {Verb::try_receive, "try-receive", of(Mode::try_receive), End::done},
    {Verb::try_receive_fail, "try-receive-fail", of(Mode::try_receive_none), End::failed},
    {Verb::time_out, "time-out", nullptr, End::plain, "time out"},
    {Verb::choose, "choose", nullptr, End::plain, "choose"},
    {Verb::atomic_block, "atomic-block", nullptr, End::plain, "atomic block"},
}};

constexpr bool is_in_order() {
  for (std::size_t k = 0; k < table.size(); ++k)
    if (static_cast<std::size_t>(table[k].verb) != k) return false;
  return true;
}
static_assert(is_in_order(), "the words are in the order of the verbs");

// A verb that can fail needs the words of its operation.
#ifndef HEDDLE_SANITIZED  // with which g++ 12 does not compare addresses at compile time
static_assert(std::ranges::all_of(table, [](const Words& w) {
  return w.operation != nullptr || (w.end == End::plain && w.own[0] != '\0');
}));
#endif

const Words& words_of(Verb verb) {
  HEDDLE_CHECK(static_cast<std::size_t>(verb) < table.size());
  return table[static_cast<std::size_t>(verb)];
}

bool is_of_messages(Verb verb) {
  return verb == Verb::send || verb == Verb::receive || verb == Verb::try_receive ||
         verb == Verb::try_receive_fail;
}

// Of a message: what it is.
std::string values_of(const Action& action) {
  if (is_of_messages(action.verb)) return action.after ? ": " + action.after->text : "";
  if (action.before && action.after)
    return fmt::format(": {} → {}", action.before->text, action.after->text);
  if (action.after) return " = " + action.after->text;
  if (action.before) return " → " + action.before->text;
  return "";
}

std::string text_of(const Action& action) {
  const Words& words = words_of(action.verb);
  const char* does = words.operation == nullptr ? words.own : words.operation->step;
  std::string out = fmt::format(fmt::runtime(does), action.object.name) + values_of(action);
  if (words.end == End::done && !action.after) out += ": done";
  if (words.end == End::failed) out += std::string(": ") + words.operation->failed;
  return out;
}

// The last part of its path: reports are about few files.
std::string short_text(const Place& place) {
  return fmt::format("{}:{}", std::filesystem::path(place.file).filename().string(), place.line);
}

// Since when is seen in the row of the step that acquired it.
std::string holders_of(const Row& row) {
  std::string out;
  for (const Holder& h : row.holders)
    out += fmt::format("{} thread {}", out.empty() ? ", held by" : " and", h.thread);
  return out;
}

std::string blocked_text(const Row& row) {
  const Object* object = row.object();
  const abi::Operation* operation = words_of(row.verb).operation;
  if (object == nullptr || operation == nullptr || !operation->can_block()) return "blocked";
  const bool says_so = std::string_view(operation->blocked).starts_with("waiting");
  return (says_so ? "" : "blocked ") + fmt::format(fmt::runtime(operation->blocked), object->name) +
         holders_of(row);
}

std::string time_out_text(const Row& row) {
  if (row.alternatives <= 1) return words_of(Verb::time_out).own;
  return fmt::format("time out (the wait numbered {} of {})", row.alternative, row.alternatives);
}

std::string text_of_all(const std::vector<Action>& actions) {
  std::string out;
  for (const Action& a : actions) out += (out.empty() ? "" : ", ") + text_of(a);
  return out;
}

// "atomic write of size 4"
std::string access_text(const DataRace::Side& side) {
  if (side.verb == Verb::free) return "free";
  const std::string size = side.size == 0 ? "" : fmt::format(" of size {}", side.size);
  return fmt::format("{}{}{}", side.atomic ? "atomic " : "", name_of(side.verb), size);
}

// "x.c:3:7: ", as compilers begin a line.
std::string located(const Place& place) {
  if (!place.is_known()) return "";
  const std::string column = place.column == 0 ? "" : fmt::format("{}:", place.column);
  return fmt::format("{}:{}:{} ", place.file, place.line, column);
}

}  // namespace

std::string_view name_of(Verb verb) { return words_of(verb).name; }

std::string_view name_of(ObjectClass kind) {
  switch (kind) {
    case ObjectClass::memory:
      return "memory";
    case ObjectClass::mutex:
      return "mutex";
    case ObjectClass::rwlock:
      return "rwlock";
    case ObjectClass::condition:
      return "condition";
    case ObjectClass::semaphore:
      return "semaphore";
    case ObjectClass::barrier:
      return "barrier";
    case ObjectClass::thread:
      return "thread";
    case ObjectClass::mailbox:
      return "mailbox";
    case ObjectClass::time:
      return "time";
  }
  return "";
}

std::string what(const Row& row) {
  if (row.kind == Row::Kind::finding) return row.note;
  if (row.kind == Row::Kind::waits) return blocked_text(row);
  switch (row.verb) {
    case Verb::choose:
      return fmt::format("choose {} of 0 to {}", row.alternative, row.alternatives - 1);
    case Verb::time_out:
      return time_out_text(row);
    case Verb::atomic_block:
      return row.actions.empty() ? words_of(row.verb).own
                                 : fmt::format("atomic block: {}", text_of_all(row.actions));
    default:
      return text_of_all(row.actions);
  }
}

std::string origin_text(const Row& row) {
  const std::vector<unsigned>& threads = row.origin.threads;
  const std::string all =
      fmt::format("thread{} {}", threads.size() > 1 ? "s" : "", fmt::join(threads, ", "));
  switch (row.origin.relation) {
    case Origin::Relation::none:
      break;
    case Origin::Relation::from:
      return "from " + all;
    case Origin::Relation::after:
      return "after " + all;
    case Origin::Relation::races:
      return "races with " + all;
  }
  return "";
}

std::string text_of(const Place& place) {
  return place.is_known() ? fmt::format("{}:{}", place.file, place.line) : "";
}

std::string at(const Place& place) { return place.is_known() ? " at " + text_of(place) : ""; }

std::string allocation_of(const Block& b) {
  const std::string size = fmt::format("{} byte{}", b.size, b.size == 1 ? "" : "s");
  if (!b.allocated_by) return size + " allocated before main";
  return fmt::format("{} allocated by thread {}{}", size, *b.allocated_by, at(b.allocated_at));
}

std::string release_of(const Block& b) {
  return b.freed_by ? fmt::format(", freed by thread {}{}", *b.freed_by, at(b.freed_at)) : "";
}

std::string text_of(const Block& b) {
  return fmt::format("block #{}: {}", b.number, allocation_of(b));
}

std::string title_of(const Stack& stack) {
  switch (stack.whose) {
    case Stack::Whose::finding:
      break;
    case Stack::Whose::previous:
      return fmt::format("thread {}, previous access", stack.thread);
    case Stack::Whose::other:
      return fmt::format("thread {} at that time", stack.thread);
  }
  return fmt::format("thread {}", stack.thread);
}

std::string text_of(const Repetition& r) {
  const std::string out =
      fmt::format("thread {} loops at {}, and ", r.begin->thread, short_text(r.begin->place));
  if (r.effect == nullptr)
    return out + "each round only reads, but changes something of its own, such as a counter";
  return out + fmt::format("each round has an effect: {} ({})", what(*r.effect),
                           short_text(r.effect->place));
}

std::string message_of(const DataRace& race) {
  const DataRace::Side& previous = race.previous;
  if (race.access.ends_thread)
    return fmt::format(
        "thread {} ends while {} is in use: it races with the previous {} by thread "
        "{}{}",
        race.access.thread, race.object, access_text(previous), previous.thread,
        at(previous.place));
  if (previous.ends_thread)
    return fmt::format("{} of {} by thread {} races with the end of thread {}, whose memory it is",
                       access_text(race.access), race.object, race.access.thread, previous.thread);
  return fmt::format("{} of {} by thread {} races with the previous {} by thread {}{}",
                     access_text(race.access), race.object, race.access.thread,
                     access_text(previous), previous.thread, at(previous.place));
}

std::string headline(const Finding& f) {
  const char* severity = f.kind == abi::Finding::endless ? "warning" : "error";
  return fmt::format("{}{}: {} [{}]", located(f.place), severity, f.message, f.kind_name());
}

std::string note_of(const Finding& f) {
  if (!f.race || !f.race->previous.place.is_known()) return "";
  return fmt::format("{}note: previous {} by thread {}", located(f.race->previous.place),
                     access_text(f.race->previous), f.race->previous.thread);
}

}  // namespace heddle::findings
