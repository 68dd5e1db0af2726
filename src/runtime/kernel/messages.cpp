#include "runtime/kernel/messages.hpp"

#include "runtime/kernel/current.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/thread_sets.hpp"
#include "runtime/sys/check.hpp"

namespace heddle::runtime {
namespace {

// Looks at the messages that have come since it was last done.
void look(Mailbox& box) {
  abi::Message* m = box.seen == nullptr ? box.first : box.seen->next;
  for (; m != nullptr && box.found == nullptr; m = m->next) {
    box.seen = m;
    for (std::uint32_t k = 0; k < box.pattern_count && box.found == nullptr; ++k) {
      if (!fits(box.patterns[k], *m)) continue;
      if (box.patterns[k].accepts != nullptr && !ask(box.patterns[k], *m)) continue;
      box.found = m;
      box.which = k;
    }
  }
}

}  // namespace

void announce_receive(const abi::MessagePattern* patterns, std::uint32_t count) {
  Mailbox& box = mailbox_of(current().id);
  use_mailboxes();
  box.patterns = patterns;
  box.pattern_count = count;
  box.pattern_name = name_of_patterns(patterns, count);
  box.judges = false;
  for (std::uint32_t k = 0; k < count; ++k) box.judges |= patterns[k].accepts != nullptr;
  box.found = box.seen = nullptr;
  box.waits = true;
  look(box);
}

void look_again() { look(mailbox_of(current().id)); }

void put_message(unsigned to, abi::Message* m) {
  HEDDLE_RUNTIME_CHECK(!is_trying());
  use_mailboxes();
  Mailbox& box = mailbox_of(to);
  m->next = nullptr;
  (box.last == nullptr ? box.first : box.last->next) = m;
  box.last = m;
  if (!box.waits || box.found != nullptr) return;
  if (!box.judges)
    look(box);
  else if (to != current().id && is_live(to) && !is_due(to))
    make_due(to);
}

abi::Message* take_found() {
  Mailbox& box = mailbox_of(current().id);
  HEDDLE_RUNTIME_CHECK(box.found != nullptr);
  abi::Message *before = nullptr, *m = box.first;
  for (; m != box.found; m = m->next) before = m;
  (before == nullptr ? box.first : before->next) = m->next;
  if (box.last == m) box.last = before;
  m->next = nullptr;
  return m;
}

void end_receive() {
  Mailbox& box = mailbox_of(current().id);
  box.waits = box.judges = false;
  box.found = box.seen = nullptr;
  box.patterns = nullptr;
  box.pattern_count = box.pattern_name = box.which = 0;
}

void fail_judging(Misjudges how) {
  fail(abi::Finding::message_misuse, judge_texts[static_cast<unsigned>(how)]);
}

void check_judging(const void* address) {
  if (address >= detail::now.judged_from || !is_on_stack(current().id, address))
    fail_judging(Misjudges::writes);
}

bool ask(const abi::MessagePattern& pattern, const abi::Message& m) {
  detail::Now& now = detail::now;
  HEDDLE_RUNTIME_CHECK(!now.judging);
  now.judging = true;
  now.judged_from = __builtin_frame_address(0);
  const bool concurrent = now.concurrent;
  now.concurrent = false;
  const int answer = pattern.accepts(pattern.context, &m);
  now.concurrent = concurrent;
  now.judging = false;
  if (answer < 0) fail_judging(Misjudges::throws);
  return answer != 0;
}

}  // namespace heddle::runtime
