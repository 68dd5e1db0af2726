// heddle model --schedule: one run, step by step.
#include <fmt/format.h>

#include "base/check.hpp"
#include "base/files.hpp"
#include "cli/command.hpp"
#include "cli/model_program.hpp"
#include "interp/runner.hpp"

namespace heddle::cli {
namespace {

using interp::Program;

struct Step {
  std::string thread;
  std::string what;
  bool scheduled = false;  // it is in the schedule
};

struct Run {
  std::vector<Step> steps;
  std::vector<Step> waiting;  // at the end
  std::vector<std::string> races;
  bool deadlock = false, failure = false;
};

// With a space before it; empty for threads and mailboxes.
std::string name_of_object(const Program& program, Location location) {
  if (location >= program.objects.size()) return "";
  const interp::Object& object = program.objects[location];
  return object.length > 1 ? fmt::format(" {}[{}]", object.name, object.index) : " " + object.name;
}

std::string describe(const Program& program, const Footprints& footprints, const Event& event) {
  if (event.alternatives > 1)
    return fmt::format("choose {} of {}", event.move.alternative, event.alternatives);
  std::string what;
  for (const Access& a : footprints.accesses(event.footprint))
    what += fmt::format("{}{}{}", what.empty() ? "" : ", ", name_of(a.mode),
                        name_of_object(program, a.location));
  return what.empty() ? "-" : what;
}

std::string describe(const Program& program, const PlainAccess& access) {
  const auto [thread, instruction] = interp::ModelMachine::where(access);
  return fmt::format("{} {}{}s{}, instruction {}", program.threads[thread].name,
                     access.atomic ? "atomically " : "", access.writes ? "write" : "read",
                     name_of_object(program, static_cast<Location>(access.granule)),
                     instruction + 1);
}

Run run_of(const Schedule& schedule, const ModelProgram& chosen) {
  interp::ModelRunner runner(chosen.program);
  runner.submit({schedule});
  const Log& log = runner.next();
  if (log.ending == Ending::diverged)
    throw Misuse(fmt::format("{} diverges from the schedule at step {}: {}", chosen.name,
                             log.diverged_at + 1, log.why_diverged));
  const Program& program = chosen.program;
  Run out;
  for (const Event& e : log.events)
    out.steps.push_back({program.threads[e.move.thread].name,
                         describe(program, runner.footprints(), e),
                         out.steps.size() < schedule.size()});
  for (const Pending& p : log.pending) {
    if (p.at < log.events.size()) continue;
    const Access& wanted = runner.footprints().accesses(p.footprint)[0];
    out.waiting.push_back(
        {program.threads[p.thread].name,
         fmt::format("{}{}", name_of(wanted.mode), name_of_object(program, wanted.location))});
  }
  for (const RacingPair& race : log.races)
    out.races.push_back(
        fmt::format("{}; {}", describe(program, race.first), describe(program, race.second)));
  out.deadlock = log.ending == Ending::deadlock;
  out.failure = log.failed();
  return out;
}

void print_json(const Run& run, const ModelProgram& chosen) {
  report::Json out = model_json(chosen);
  out["steps"] = report::Json::array();
  for (const Step& s : run.steps)
    out["steps"].push_back({{"thread", s.thread}, {"what", s.what}, {"scheduled", s.scheduled}});
  out["waiting"] = report::Json::array();
  for (const Step& s : run.waiting)
    out["waiting"].push_back({{"thread", s.thread}, {"what", s.what}});
  out["deadlock"] = run.deadlock;
  out["failure"] = run.failure;
  report::print(out);
}

void print_text(const Run& run, const ModelProgram&) {
  std::size_t number = 0;
  for (const Step& s : run.steps)
    fmt::print("{:>4} {} {:<8} {}\n", ++number, s.scheduled ? " " : "+", s.thread, s.what);
  for (const Step& s : run.waiting) fmt::print("     {} is blocked: {}\n", s.thread, s.what);
  for (const std::string& race : run.races) fmt::print("     data race: {}\n", race);
  if (run.failure && run.races.empty())
    fmt::print("     a claim does not hold, or memory or a lock is misused\n");
}

}  // namespace

int replay_model(const Arguments& arguments, const ModelProgram& chosen) {
  const std::string& given = *arguments.schedule;
  const Run run =
      run_of(parse_schedule(given.starts_with("@") ? read_file(given.substr(1)) : given), chosen);
  (arguments.json ? print_json : print_text)(run, chosen);
  return run.deadlock || run.failure ? exit_finding : exit_ok;
}

}  // namespace heddle::cli
