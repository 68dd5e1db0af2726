#include "runtime/kernel/findings.hpp"

#include <cstdio>
#include <cstring>

#include "runtime/kernel/access_bits.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/debugger.hpp"
#include "runtime/kernel/details.hpp"
#include "runtime/kernel/hooks.hpp"
#include "runtime/kernel/visits.hpp"
#include "runtime/sys/heap_layout.hpp"
#include "runtime/sys/process.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

struct Findings {
  char text[2048];
  Stack stacks[abi::max_threads + 1];
  unsigned stack_count;
};
constinit Findings findings{};  // of a run

void add(const Stack& stack) {
  if (findings.stack_count < abi::max_threads + 1) findings.stacks[findings.stack_count++] = stack;
}

// The stacks of the finding's thread and, where there is an earlier access, of that; then those of
// the other threads.
void collect_stacks(const Stack* own, const SiteWithStack* earlier) {
  if (!is_explaining()) return;
  note_moment();
  add(own != nullptr ? *own : current_stack());
  if (earlier != nullptr) add(earlier->stack);
  visit_other_threads([] { add(current_stack()); });
  show_finding(reply().finding, findings.text);
}

const char* describe(std::uint8_t bits, std::uint64_t address) {
  if ((bits & bit_free) != 0) return is_of_thread(address) ? "ends, and with it" : "frees";
  if ((bits & bit_plain) != 0) return (bits & bit_write) != 0 ? "writes" : "reads";
  return (bits & bit_write) != 0 ? "atomically writes" : "atomically reads";
}

}  // namespace

void clear_findings() {
  findings.text[0] = '\0';
  findings.stack_count = 0;
}

bool has_finding() { return reply().finding != abi::Finding::none; }

void note_finding(abi::Finding kind, const char* what, const abi::Site* site, const Stack* stack) {
  if (has_finding()) return;
  reply().finding = kind;
  reply().finding_thread = current().id;
  note_reason(what, site);
  collect_stacks(stack, nullptr);
}

void note_finding_of(const Fiber& thread, abi::Finding kind, const char* what,
                     const abi::Site* site) {
  if (has_finding()) return;
  reply().finding = kind;
  reply().finding_thread = thread.id;
  note_reason(what, site);
  if (!is_explaining()) return;
  note_moment();
  visit_other_threads([] { add(current_stack()); });
  show_finding(kind, findings.text);
}

void note_data_race(const abi::WireRace& race, const abi::Site* first, const abi::Site* second) {
  if (has_finding()) return;
  const auto* a = reinterpret_cast<const abi::Site*>(race.first_site);
  const auto* b = reinterpret_cast<const abi::Site*>(race.second_site);
  char message[1024];
  const std::uint64_t address =
      (race.memory >> abi::mask_bits << abi::granule_bits) +
      static_cast<unsigned>(__builtin_ctz(static_cast<unsigned>(race.memory & 0xff) | 0x100));
  char what[80];
  if (const char* user = hooks().user_of_state(address))
    std::snprintf(what, sizeof what, "what %s uses for all threads", user);
  else
    std::snprintf(what, sizeof what, "{%#lx}", static_cast<unsigned long>(address));
  std::snprintf(message, sizeof message,
                "thread %u %s %s, which thread %u %s (%s:%u) without synchronisation",
                unsigned{race.second_thread}, describe(race.second_bits, address), what,
                unsigned{race.first_thread}, describe(race.first_bits, address),
                a == nullptr ? "?" : a->file, a == nullptr ? 0 : a->line);
  reply().finding = abi::Finding::data_race;
  reply().finding_thread = current().id;
  note_reason(message, b);
  if (const SiteWithStack* s = remembered(first)) note_spot(*s, race.first_bits);
  if (const SiteWithStack* s = remembered(second)) note_spot(*s, race.second_bits);
  collect_stacks(nullptr, remembered(first));
}

void note_reason(const char* what, const abi::Site* site) {
  std::snprintf(findings.text, sizeof findings.text, "%s", what);
  reply().site = reinterpret_cast<std::uint64_t>(site_of(site));
}

void note(abi::Note what) { reply().notes |= what; }

void note_held(abi::Held why, const abi::Site* at) {
  if (reply().held != abi::Held::nowhere) return;
  reply().held = why;
  reply().held_at = reinterpret_cast<std::uint64_t>(site_of(at));
}

void note_bound(const Fiber& f) {
  if (reply().bound == abi::Bound::none) reply().bound = f.bound;
  note_held(abi::Held::bound, f.site);
}

void report_findings() {
  const std::size_t length = (std::strlen(findings.text) + 7) / 8 * 8;
  if (void* out = add_to_reply(length)) {
    std::memset(out, 0, length);
    std::memcpy(out, findings.text, std::strlen(findings.text));
    reply().text_bytes = static_cast<std::uint32_t>(length);
  }
  for (unsigned k = 0; k < findings.stack_count; ++k) {
    const Stack& s = findings.stacks[k];
    const std::uint64_t bytes = sizeof(abi::WireStack) + s.depth * sizeof(std::uint64_t);
    auto* out = static_cast<abi::WireStack*>(add_to_reply(bytes));
    if (out == nullptr) return;
    *out = {s.thread, s.depth};
    auto* frames = reinterpret_cast<std::uint64_t*>(out + 1);
    for (std::uint32_t n = 0; n < s.depth; ++n) frames[n] = s.frames[n].code;
    reply().stack_words += static_cast<std::uint32_t>(bytes / 8);
  }
}

void say_what_happened() {
  const abi::ReplyHeader& r = reply();
  const auto* site = reinterpret_cast<const abi::Site*>(r.site);
  const char* kind = r.ending == abi::Ending::unsupported ? "not supported"
                     : r.finding == abi::Finding::none
                         ? "an assumption does not hold"
                         : abi::finding_names[static_cast<unsigned>(r.finding)];
  char line[2300];
  std::snprintf(line, sizeof line, "%s: %s (%s:%u)", kind, findings.text,
                site == nullptr ? "?" : site->file, site == nullptr ? 0 : site->line);
  say(line);
}

}  // namespace heddle::runtime
