// One run, by a given schedule.
#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "base/check.hpp"
#include "native/describe.hpp"
#include "native/exploration.hpp"
#include "native/settings.hpp"

namespace heddle::native {
namespace {

std::vector<std::uint64_t> parse_visible(const std::string& text) {
  std::vector<std::uint64_t> out;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    std::uint64_t memory = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), memory, 16);
    if (error != std::errc() || end != word.data() + word.size() || out.size() == abi::max_visible)
      throw Misuse("invalid visible memory '" + word + "' after the schedule (expected at most " +
                   std::to_string(abi::max_visible) + " hexadecimal numbers)");
    out.push_back(memory);
  }
  return out;
}

}  // namespace

Replay replay(const Options& options, const std::string& text, Output output) {
  const std::size_t mark = text.find(findings::visible_mark);
  return replay(options, parse_schedule(text.substr(0, mark)),
                mark == std::string::npos
                    ? std::vector<std::uint64_t>{}
                    : parse_visible(text.substr(mark + findings::visible_mark.size())),
                output);
}

Replay replay(const Options& options, const Schedule& schedule,
              const std::vector<std::uint64_t>& visible, Output output) {
  Worker worker(options.command, output);
  Knowledge knowledge;
  knowledge.visible.insert(visible.begin(), visible.end());
  const Suppressions suppressions(options.suppress);
  for (Knowledge before;; before = knowledge) {
    HEDDLE_CHECK(knowledge.includes(before));
    worker.configure(*settings_of(options, knowledge));
    NativeRunner runner(worker, worker.names(), knowledge, options.races, options.repeat_every);
    try {
      const Explanation e = runner.explain(schedule);
      if (e.ending == Ending::diverged)
        throw Misuse(fmt::format("{} diverges from the schedule at step {}: {}", options.command[0],
                                 e.diverged_at + 1, e.outcome.text));
      if (pardon(e, suppressions, worker, knowledge)) continue;
      return worker.with_process([&](pid_t process) {
        const Symbols symbols(process);
        Replay out;
        out.scheduled = schedule.size();
        out.run_file = run_file(options, schedule, knowledge);
        if (e.outcome.finding != abi::Finding::none) {
          out.findings.push_back(describe(e, symbols));
          out.trace = out.findings[0].trace;
        } else {
          out.trace = trace_without_finding(e, symbols);
        }
        return out;
      });
    } catch (const Learned&) {
    } catch (const Unsupported& u) {
      throw worker.with_process(
          [&](pid_t process) { return unsupported(u.outcome, Symbols(process)); });
    }
  }
}

}  // namespace heddle::native
