#include "native/remarks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "runtime/abi/abi.h"

namespace heddle::native {
namespace {

// "printf, puts and 3 more"
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;  // they fit on a line; one more takes no more room than "more"
  const std::size_t shown = names.size() <= most + 1 ? names.size() : most;
  const std::string out = fmt::format("{}", fmt::join(std::span(names).first(shown), ", "));
  return shown == names.size() ? out : fmt::format("{} and {} more", out, names.size() - shown);
}

std::string place_of(std::uint64_t site, Worker& worker) {
  const Place place = worker.with_process(
      [&](pid_t process) { return Symbols(process).site(site).value_or(Place{"?", 0, "?"}); });
  return fmt::format("{}:{}, in {}", place.file, place.line, place.function);
}

// The functions of one kind (see native/unseen.hpp), without the prefix that names the kind.
std::vector<std::string> of_kind(const std::vector<std::string>& unseen, std::string_view kind) {
  std::vector<std::string> out;
  for (const std::string& u : unseen)
    if (u.starts_with(kind) && u[kind.size()] == ' ') out.push_back(u.substr(kind.size() + 1));
  return out;
}

void add_unseen(const std::vector<std::string>& unseen, std::vector<std::string>& to) {
  std::vector<std::string> functions;
  for (const std::string& u : unseen)
    if (u[0] != abi::not_a_function) functions.push_back(u);
  if (!functions.empty())
    to.push_back("memory accesses inside these uninstrumented library functions are not checked: " +
                 some_of(functions));
  for (const auto& [kind, text] : std::initializer_list<std::pair<std::string_view, const char*>>{
           {abi::unseen_function,
            "memory accesses inside these uninstrumented functions are not checked: "},
           {abi::unseen_body,
            "memory accesses inside these functions, which the linker took from objects not built "
            "with heddle, are not checked: "},
           {abi::unseen_assembly, "inline assembly is not checked: "},
           {abi::unseen_instruction, "memory accesses by these instructions are not checked: "},
           {abi::unseen_difference, "results may differ from run to run: "},
           {abi::counted_loop,
            "polling loops are explored round by round, because their counters are used later: "}})
    if (const std::vector<std::string> some = of_kind(unseen, kind); !some.empty())
      to.push_back(text + some_of(some));
}

}  // namespace

std::vector<std::string> warnings_of(const Notes& notes, const Options& options, Worker& worker) {
  std::vector<std::string> out;
  if ((notes.set & abi::note_main_returned) != 0 && !options.kill_at_exit)
    out.push_back(fmt::format("main returns while other threads are running; they continued {}",
                              notes.left_blocked == 0 ? "to their ends" : "as far as they could"));
  if ((notes.set & abi::note_states_differ) != 0)
    out.push_back(
        "two runs of the same steps left different memory: fewer runs are merged than could be");
  if (notes.never_joined != 0)
    out.push_back("a thread is never joined or detached: created at " +
                  place_of(notes.never_joined, worker));
  if (notes.unreceived_at != 0)
    out.push_back("a message is never received: sent at " + place_of(notes.unreceived_at, worker));
  if (notes.leaked_at != 0)
    out.push_back(
        "leak: memory is never freed, and nothing points to it at the end: allocated at " +
        place_of(notes.leaked_at, worker));
  return out;
}

std::string what_held(const Notes& notes, Worker& worker) {
  constexpr const char* what[] = {"runs end", "an assumption does not hold",
                                  "threads wait in a loop", "a wait is assumed not to time out",
                                  "a bound is reached"};
  static_assert(std::size(what) == static_cast<std::size_t>(abi::Held::bound) + 1);
  return fmt::format("no run was complete, so nothing was checked: {} at {}",
                     what[std::min(static_cast<std::size_t>(notes.held), std::size(what) - 1)],
                     place_of(notes.held_at, worker));
}

std::vector<std::string> limits_of(const Notes& noted, const Options& options,
                                   const std::vector<std::string>& unseen, Worker& worker) {
  const std::uint32_t notes = noted.set;
  std::vector<std::string> out = {"for these inputs"};
  if (noted.bounded != 0)
    out.insert(out.begin(),
               fmt::format("runs were given up because they exceed a limit of heddle: {}, at {} "
                           "(runs given up: {}); make the test smaller",
                           abi::bound_texts[static_cast<std::size_t>(noted.bound)],
                           place_of(noted.bound_at, worker), noted.bounded));
  if ((notes & abi::note_nondet) != 0)
    out.push_back(
        fmt::format("nondeterministic values are one of {}", fmt::join(options.nondet, ", ")));
  out.push_back((notes & abi::note_atomics_weaker) != 0
                    ? "under sequential consistency, although the program uses weaker memory orders"
                    : "under sequential consistency");
  if (options.races == abi::Races::explore)
    out.push_back("data races are explored as ordinary accesses");
  if ((notes & abi::note_timed) != 0)
    out.push_back(options.timeouts == abi::Timeouts::last_resort
                      ? "waits time out only when nothing else can happen"
                      : "waits may time out at any time");
  if ((notes & abi::note_condition) != 0 && !options.spurious_wakeups)
    out.push_back("condition variables have no spurious wake-ups");
  if (noted.cut_off != 0)
    out.push_back(
        options.waiting_rounds == 1
            ? fmt::format("loops that wait are not repeated (runs cut off: {})", noted.cut_off)
            : fmt::format("loops that wait make at most {} rounds (runs cut off: {})",
                          options.waiting_rounds, noted.cut_off));
  if ((notes & abi::note_left_running) != 0)
    out.push_back(
        fmt::format("thread {} is still running at {} when main ends: it was followed up to step "
                    "{} of each run",
                    noted.left_blocked - 1, place_of(noted.left_blocked_at, worker),
                    options.kill_at_exit ? 100 : 1000));
  else if (noted.left_blocked != 0 && !options.kill_at_exit)
    out.push_back(fmt::format("thread {} is left blocked at {} when main ends",
                              noted.left_blocked - 1, place_of(noted.left_blocked_at, worker)));
  if ((notes & abi::note_foreign_thread) != 0)
    out.push_back(
        "threads of libraries that were not built with heddle are switched only where they call "
        "the C library");
  if ((notes & abi::note_cancel) != 0)
    out.push_back(
        "threads are cancelled where they wait or sleep and in pthread_testcancel, read, open and "
        "close, but not in other functions of the C library");
  if ((notes & abi::note_signal) != 0)
    out.push_back("signals to the process go to the thread that sends them");
  if ((notes & abi::note_raw_call) != 0)
    out.push_back(
        "effects of system calls made by number, on memory and outside of the process, are not "
        "seen");
  if ((notes & abi::note_outside) != 0)
    out.push_back(
        "changes that runs make outside of the process, such as to files, are not undone");
  add_unseen(unseen, out);
  return out;
}

}  // namespace heddle::native
