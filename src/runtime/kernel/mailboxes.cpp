#include "runtime/kernel/mailboxes.hpp"

#include "runtime/abi/naming.h"
#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/sys/check.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

struct Mailboxes {
  bool used;  // by some thread
  Mailbox of[abi::max_threads];
};
constinit Mailboxes mailboxes{};  // of a run

// More alternatives than programs have. A receive with more is not supported.
constexpr std::uint32_t max_patterns = 256;

std::uint64_t address_of(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

abi::WireAccess pattern(const abi::MessageKind* kind, std::uint64_t bits, std::uint64_t tag) {
  HEDDLE_RUNTIME_CHECK(address_of(kind) >> abi::address_bits == 0);
  return {abi::with_mode(address_of(kind) | bits, static_cast<std::uint8_t>(Mode::send)),
          static_cast<std::uint32_t>(tag), static_cast<std::uint32_t>(tag >> 32)};
}

struct List {
  abi::WireStep head;
  abi::WireAccess accesses[max_patterns];
};

std::uint32_t name_of(const List& list) {
  const std::uint32_t words = abi::step_words + list.head.access_count * abi::access_words;
  const std::uint32_t name =
      abi::name_step(names().steps, reinterpret_cast<const std::uint64_t*>(&list), words, false);
  if (name == abi::no_room) unsupported("a program with too many different messages");
  return name;
}

}  // namespace

Mailbox& mailbox_of(unsigned thread) { return mailboxes.of[thread]; }
void use_mailboxes() { mailboxes.used = true; }

std::uint32_t name_of_message(const abi::Message& m) {
  List list;
  list.head = {0, 1, 1, 0, 0};
  list.accesses[0] = pattern(m.kind, 0, m.tag);
  return name_of(list);
}

std::uint32_t name_of_patterns(const abi::MessagePattern* patterns, std::uint32_t count) {
  if (count > max_patterns) unsupported("a receive with more than 256 alternatives");
  List list;
  list.head = {0, count, 1, 0, 0};
  for (std::uint32_t k = 0; k < count; ++k) {
    const abi::MessagePattern& p = patterns[k];
    list.accesses[k] = pattern(p.any_kind != 0 ? nullptr : p.kind,
                               (p.any_kind != 0 ? abi::any_kind_bit : 0) |
                                   (p.any_tag != 0 ? abi::any_tag_bit : 0) |
                                   (p.accepts != nullptr ? abi::judged_bit : 0),
                               p.any_tag != 0 ? 0 : p.tag);
  }
  return name_of(list);
}

bool fits(const abi::MessagePattern& pattern, const abi::Message& m) {
  return (pattern.any_kind != 0 || pattern.kind == m.kind) &&
         (pattern.any_tag != 0 || pattern.tag == m.tag);
}

void close_mailbox() {
  Mailbox& box = mailboxes.of[current().id];
  if (box.closed) return;
  mailboxes.used = true;
  box.closed = true;
  box.closed_at = clock_of(current().id).now[current().id];
}

bool is_known_closed(unsigned thread) {
  const Mailbox& box = mailboxes.of[thread];
  const std::uint32_t known = clock_of(current().id).now[thread];
  if (box.closed) return known >= box.closed_at;
  return fiber(thread).status == Fiber::Status::ended && known >= clock_of(thread).now[thread];
}

const void* never_received() {
  const void* out = nullptr;
  if (mailboxes.used)
    for_threads([&](const Fiber& f) {
      for (const abi::Message* m = mailboxes.of[f.id].first; m != nullptr; m = m->next)
        if (out == nullptr && (m->kind == nullptr || m->kind->quiet == 0)) out = m->site;
    });
  return out;
}

void describe_messages(unsigned thread, Text& text) {
  constexpr unsigned shown = 4;  // the rest is counted
  unsigned count = 0;
  for (const abi::Message* m = mailboxes.of[thread].first; m != nullptr; m = m->next) {
    if (++count > shown) continue;
    text.add("%s", count == 1 ? ", which has not come; in its mailbox: " : ", ");
    if (m->kind != nullptr) text.add("%s", m->kind->name);
    if (m->kind == nullptr || m->tag != 0)
      text.add("%stag %lu", m->kind == nullptr ? "" : " ", m->tag);
    text.add(" from thread %lu", m->sender - 1);
  }
  if (count > shown) text.add(" and %u more", count - shown);
  if (count == 0) text.add(", and its mailbox is empty");
}

void clear_mailboxes() {
  if (!mailboxes.used) return;
  for (Mailbox& box : mailboxes.of) box = {};
  mailboxes.used = false;
}

void save_mailboxes(Savepoint& into) {
  into.undo([](void*, std::uint64_t) { clear_mailboxes(); }, nullptr, 0);
  if (!mailboxes.used) return;
  into.keep(mailboxes.used);
  for_threads([&](const Fiber& f) { into.keep(mailboxes.of[f.id]); });
}

// What is in the messages is memory of the program. (When a mailbox was closed is history.)
void digest_mailboxes(StateHash& into) {
  if (!mailboxes.used) return;
  for_threads([&](const Fiber& f) {
    const Mailbox& box = mailboxes.of[f.id];
    into.add_words(StateHash::Of::mailbox, f.id, box.first, box.last, box.found, box.seen,
                   box.patterns, box.pattern_count, box.pattern_name, box.which, box.waits,
                   box.judges, box.closed);
  });
}

}  // namespace heddle::runtime
