#include "cli/options.hpp"

#include <algorithm>
#include <iterator>

#include "cli/jobs.hpp"
#include "core/algorithm.hpp"
#include "fuzz/generate.hpp"
#include "interp/families.hpp"
#include "interp/random_program.hpp"
#include "native/option_table.hpp"
#include "report/kinds.hpp"

namespace heddle::cli {
namespace {

using Names = std::vector<std::string_view>;

Names all_algorithms() {
  Names out;
  for (const Algorithm& a : algorithms()) out.push_back(a.name);
  return out;
}

Names native_algorithms() {
  Names out;
  for (const Algorithm& a : algorithms())
    if (is_for_compiled(a)) out.push_back(a.name);
  return out;
}

Names or_auto(Names out) {
  out.push_back(automatic);
  return out;
}

Names shapes() {
  Names out;
  for (const interp::Shape& s : interp::shapes()) out.push_back(s.name);
  for (const fuzz::Shape& s : fuzz::shapes())
    if (std::ranges::count(out, s.name) == 0) out.push_back(s.name);
  return out;
}

Names expectations() {
  Names out = {"verified", "finding", "vacuous"};
  for (const report::Kind& k : report::kinds())
    if (k.sort == report::Kind::Sort::finding) out.push_back(k.name);
  return out;
}

using A = Arguments;

std::vector<Option> algorithm_options() {
  return {
      text<A>({.name = "--algorithm",
               .value = "NAME",
               .commands = "check run",
               .help = "the exploration algorithm; auto begins with observers, and tries merging "
                       "if that would take long",
               .choices = [] { return or_auto(native_algorithms()); }},
              &A::algorithm),
      text<A>({.name = "--algorithm",
               .value = "NAME",
               .commands = "split",
               .help = "the exploration algorithm",
               .choices = native_algorithms},
              &A::algorithm),
      text<A>({.name = "--algorithm",
               .value = "NAME",
               .commands = "model",
               .help = "the exploration algorithm; auto begins with observers, and tries merging "
                       "if that would take long",
               .choices = [] { return or_auto(all_algorithms()); }},
              &A::algorithm),
      texts<A>({.name = "--algorithm",
                .value = "NAME,...",
                .commands = "fuzz",
                .help = "only these; without it, all but none",
                .choices = all_algorithms},
               &A::algorithms),
      texts<A>({.name = "--algorithms",
                .value = "NAME,...",
                .commands = "bench",
                .help = "only these; without it, all that lose nothing, but none",
                .choices = all_algorithms},
               &A::algorithms),
  };
}

std::vector<Option> parallel_options() {
  return {
      number<A>(
          {.name = "-j,--jobs",
           .value = "N",
           .commands = "check run compare model bench",
           .help =
               "how many engines explore at once, each with a part of the schedules; without "
               "it, as the environment variable HEDDLE_JOBS says, or one for each processor. For "
               "the algorithms none, optimal, observers and merging; the others have one"},
          &A::jobs, {1, most_engines}),
      text<A>(
          {.name = "--cube",
           .value = "LINE",
           .commands = "run",
           .help =
               "explore one part only: a line that heddle split wrote, or FILE:N, the N-th line "
               "of a file; with its options and arguments"},
          &A::cube),
      number<A>({.name = "-n,--parts",
                 .value = "N",
                 .commands = "split",
                 .help = "the number of parts, about"},
                &A::split_into, {1, 100'000}),
      texts<A>(
          {.name = "--learned",
           .value = "RESULT,...",
           .commands = "split",
           .help =
               "results of earlier parts, one of which has learned something about the program"},
          &A::learned),
  };
}

std::vector<Option> broker_options() {
  return {
      text<A>({.name = "--broker",
               .value = "URL",
               .commands = "run attach",
               .help = "the broker of a cluster (docs/clusters.md): redis://HOST, rediss://HOST "
                       "with TLS, or unix:///PATH"},
              &A::broker),
      text<A>({.name = "--broker-password-file",
               .value = "FILE",
               .commands = "run worker attach",
               .help = "the password for the broker; without it, that of the environment variable "
                       "HEDDLE_BROKER_PASSWORD"},
              [](auto& a) -> auto& { return a.access.password_file; }),
      text<A>({.name = "--broker-ca",
               .value = "FILE",
               .commands = "run worker attach",
               .help = "the certificates that are trusted to sign the broker's; without it, those "
                       "that the system trusts"},
              [](auto& a) -> auto& { return a.access.ca_file; }),
      flag<A>({.name = "--insecure-broker",
               .commands = "run worker attach",
               .help = "reach the broker over a network without TLS, or without a password"},
              [](auto& a) -> auto& { return a.access.insecure; }),
      number<A>({.name = "--broker-silence",
                 .value = "SECONDS",
                 .commands = "run",
                 .help = "after which a worker that says nothing is taken for dead, and others "
                         "explore its part"},
                &A::silence, {1, 86'400}),
      number<A>({.name = "--parts",
                 .value = "N",
                 .commands = "run",
                 .help = "with --broker: into how many parts the schedules are split at first, "
                         "about; 32 for each worker if that is more. More are made when workers "
                         "have nothing to do"},
                &A::parts, {0, 100'000}),
      flag<A>({.name = "--keep-job",
               .commands = "run",
               .help = "with --broker: leave the job in the broker when it has ended"},
              &A::keep_job),
  };
}

std::vector<Option> job_options() {
  return {
      text<A>({.name = "--program",
               .value = "PROGRAM",
               .commands = "worker",
               .help = "the program, the same file as elsewhere"},
              &A::program),
      text<A>({.name = "--job",
               .value = "JOB",
               .commands = "worker",
               .help = "only this job; without it, one that is for this program"},
              &A::job),
      number<A>({.name = "-j,--jobs",
                 .value = "N",
                 .commands = "worker",
                 .help = "how many engines explore at once; without it, one for each processor"},
                &A::jobs, {1, most_engines}),
      flag<A>({.name = "--stay",
               .commands = "worker",
               .help = "wait for the next job when one has ended, until interrupted"},
              &A::stay),
      flag<A>({.name = "--stop",
               .commands = "attach",
               .help = "stop the job: no more parts are given out"},
              &A::stop_job),
      flag<A>({.name = "--remove",
               .commands = "attach",
               .help = "show the job, and remove it from the broker"},
              &A::remove_job),
  };
}

std::vector<Option> verbose_options() {
  return {
      flag<A>({.name = "--verbose",
               .commands = "check run compare model bench",
               .help = "say on stderr into how many parts an exploration was split, and what that "
                       "cost"},
              &A::verbose),
  };
}

std::vector<Option> file_options() {
  return {
      text<A>({.name = "--checkpoint",
               .value = "FILE",
               .commands = "check run",
               .help = "where to write a checkpoint if the exploration is stopped; without it, one "
                       "is written only if the exploration is interrupted, to NAME.checkpoint"},
              &A::checkpoint),
      text<A>({.name = "--resume",
               .value = "FILE",
               .commands = "check run",
               .help = "continue from a checkpoint, with its options and arguments"},
              &A::resume),
      text<A>({.name = "-o,--output",
               .value = "FILE",
               .commands = "check",
               .help = "where to write the executable; without it, NAME.heddle in the current "
                       "directory, where NAME is that of the first file without its suffix"},
              &A::output),
  };
}

std::vector<Option> model_options() {
  return {
      text<A>({.name = "--model",
               .value = "NAME",
               .commands = "compare",
               .help = "compare on a model program instead: a built-in one, or a file"},
              &A::model),
      text<A>({.name = "--file",
               .value = "FILE",
               .commands = "model",
               .help = "read the program from a file, instead of taking a built-in one"},
              &A::file),
      optional_number<A>({.name = "--size",
                          .value = "N",
                          .commands = "model compare",
                          .help = "size of the built-in model program, if it has sizes"},
                         &A::size),
      flag<A>({.name = "--oracle",
               .commands = "model",
               .help = "also visit all states, and compare the outcomes"},
              &A::oracle),
      flag<A>({.name = "--list", .commands = "model", .help = "list the built-in model programs"},
              &A::list),
      flag<A>({.name = "--show",
               .commands = "model",
               .help = "print the program as text, and do not run it"},
              &A::show),
      optional_text<A>({.name = "--schedule",
                        .value = "TEXT",
                        .commands = "run model",
                        .help = "run only this schedule, and show its steps; @FILE reads it from a "
                                "file"},
                       &A::schedule),
  };
}

std::vector<Option> bench_options() {
  return {
      text<A>(
          {.name = "--suite",
           .value = "NAME",
           .commands = "bench",
           .help = "which programs, if none are named: those of the papers, data structures, or "
                   "those that measure the cost of events, threads and races",
           .choices = [] { return Names{"papers", "structures", "scaling"}; }},
          &A::suite),
      flag<A>({.name = "--smallest",
               .commands = "bench",
               .help = "only the smallest size of each program"},
              &A::smallest),
      seconds<A>({.name = "--time",
                  .value = "SECONDS",
                  .commands = "bench",
                  .help = "stop each exploration after this time"},
                 &A::time),
  };
}

std::vector<Option> replay_options() {
  return {
      flag<A>({.name = "--verbose",
               .commands = "replay",
               .help = "leave nothing out, and show all stacks"},
              &A::verbose),
      flag<A>({.name = "--gdb",
               .commands = "replay",
               .help = "then start gdb, which runs the program the same way (docs/gdb.md)"},
              &A::gdb),
  };
}

std::vector<Option> fuzz_options() {
  return {
      flag<A>({.name = "--native",
               .commands = "fuzz",
               .help = "random programs in C and C++, compiled and explored by every algorithm and "
                       "in every mode, all of which must find the same outcomes"},
              &A::native),
      seconds<A>({.name = "--seconds", .value = "N", .commands = "fuzz", .help = "for how long"},
                 &A::seconds),
      number<A>({.name = "--programs",
                 .value = "N",
                 .commands = "fuzz",
                 .help = "stop after N programs, if that is sooner"},
                &A::programs),
      number<A>({.name = "--seed",
                 .value = "N",
                 .commands = "fuzz",
                 .help = "seed for the random programs"},
                &A::seed),
      text<A>({.name = "--shape",
               .value = "SHAPE",
               .commands = "fuzz",
               .help = "programs of one shape only; without it, all shapes take turns. Compiled "
                       "programs have other shapes than model programs",
               .choices = shapes},
              &A::shape),
      flag<A>({.name = "--show",
               .commands = "fuzz",
               .help = "print the programs, as many as --programs says, and do not explore them"},
              &A::show),
  };
}

std::vector<Option> result_options() {
  return {
      flag<A>({.name = "--json",
               .commands = "check run replay attach compare explain merge model fuzz bench help",
               .help = "print the result as JSON (docs/json-schema.json describes it)"},
              &A::json),
      flag<A>({.name = "--outcomes",
               .commands = "check run",
               .help = "also list the outcomes of the runs, as the program gave them to "
                       "heddle_outcome, and how many runs had each"},
              &A::outcomes),
      text<A>({.name = "--junit",
               .value = "FILE",
               .commands = "check run",
               .help = "also write the result as JUnit XML"},
              &A::junit),
      text<A>({.name = "--sarif",
               .value = "FILE",
               .commands = "check run",
               .help = "also write the result as SARIF 2.1.0"},
              &A::sarif),
      text<A>({.name = "--html",
               .value = "FILE",
               .commands = "check run replay",
               .help = "also write the result as an HTML page: the run with its source, values and "
                       "stacks, or what was explored"},
              &A::html),
      text<A>(
          {.name = "--expect",
           .value = "WHAT",
           .commands = "check run",
           .help = "the expected verdict, or kind of finding: the exit status is 0 if it is the "
                   "result, and 1 if not",
           .choices = expectations},
          &A::expect),
      flag<A>({.name = "--markdown", .commands = "bench", .help = "print the table as Markdown"},
              &A::markdown),
  };
}

std::vector<Option> help_options() {
  return {
      flag<A>({.name = "--man", .commands = "help", .help = "print the manual page"}, &A::man),
      flag<A>({.name = "--markdown",
               .commands = "help",
               .help = "print the reference of all commands (docs/reference.md)"},
              &A::markdown),
      flag<A>({.name = "--completion",
               .commands = "help",
               .help = "print the completion script for bash"},
              &A::completion),
      flag<A>({.name = "-h,--help", .help = "show the options of the command"}, &A::help),
  };
}

std::vector<Option> exploration_options() {
  std::vector<Option> out;
  for (const heddle::Option<native::Options>& option : native::option_table())
    out.push_back(lifted(option, &A::exploration));
  return out;
}

}  // namespace

std::span<const Option> options() {
  static const std::vector<Option> table = [] {
    std::vector<Option> all;
    for (const auto& rows :
         {algorithm_options, parallel_options, broker_options, job_options, verbose_options,
          exploration_options, file_options, model_options, bench_options, replay_options,
          fuzz_options, result_options, help_options})
      std::ranges::move(rows(), std::back_inserter(all));
    return all;
  }();
  return table;
}

std::vector<const Option*> options_of(std::string_view command) {
  std::vector<const Option*> out;
  for (const Option& option : options())
    if (option.belongs_to(command)) out.push_back(&option);
  return out;
}

}  // namespace heddle::cli
