// heddle worker: explores parts of what another process explores.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <optional>
#include <thread>

#include "base/check.hpp"
#include "cli/command.hpp"
#include "cli/jobs.hpp"
#include "cli/live.hpp"
#include "cli/program.hpp"
#include "cluster/coordinator.hpp"
#include "cluster/crew.hpp"
#include "cluster/worker_loop.hpp"
#include "native/engine.hpp"

namespace heddle::cli {
namespace {

class Helper {
 public:
  explicit Helper(const Arguments& arguments)
      : arguments_(arguments),
        address_(broker::parse_address(arguments.operands[0], arguments.access)),
        client_(address_, {.is_interrupted = is_interrupted}) {
    if (arguments.program.empty())
      throw Misuse("heddle worker needs to know the program: give --program");
    cluster::check_reachable(address_);
    command_ = {path_of_program(arguments.program)};
    command_.insert(command_.end(), arguments.after_dashes.begin(), arguments.after_dashes.end());
    own_ = cluster::identify(command_);
  }

  void run() {
    do {
      const auto job = next_job();
      if (job) serve(*job);
    } while (arguments_.stay && !is_interrupted());
  }

 private:
  static bool is_interrupted() { return *Interrupts::flag() != 0; }

  // Waits for one. None: interrupted.
  std::optional<std::string> next_job() {
    if (!arguments_.job.empty() && !arguments_.stay) return arguments_.job;
    constexpr std::chrono::milliseconds pause(200);
    for (; !is_interrupted(); std::this_thread::sleep_for(pause))
      for (const broker::Listed& listed : broker::list_jobs(client_))
        if (is_for_us(listed)) return listed.job;
    return {};
  }

  bool is_for_us(const broker::Listed& listed) {
    if (!arguments_.job.empty() && arguments_.job != listed.job) return false;
    const cluster::Label label = cluster::parse_label(listed.label);
    const bool is_same = label.hash == own_.hash;
    if (!is_same && (label.name != own_.name || arguments_.stay)) return false;
    if (broker::Job(client_, listed.job).status().state != broker::State::running) return false;
    if (is_same) return true;
    throw Misuse(fmt::format("the job {} is about another build of {}: build it once, and copy it",
                             listed.job, own_.name));
  }

  void serve(const std::string& job) {
    const broker::JobInfo info = broker::read_job(client_, job);
    cluster::Terms terms;
    native::Options options;
    try {
      terms = cluster::terms_of(info.identity);
      cluster::require_same_program(info.identity, own_);
      options = cluster::options_of(terms, command_);
      cluster::require_same_run(info.identity,
                                cluster::first_run(*find_algorithm(terms.algorithm), options));
    } catch (const Misuse& misuse) {
      throw Misuse(fmt::format("cannot work for the job {}: {}", job, misuse.what()));
    }
    work(job, terms, options);
  }

  void work(const std::string& job, const cluster::Terms& terms, const native::Options& options) {
    const Algorithm& algorithm = *find_algorithm(terms.algorithm);
    const parallel::MakeEngine make = [&] {
      return std::make_unique<native::NativeEngine>(algorithm, options);
    };
    cluster::Crew crew(engines_of(arguments_), [&](const volatile std::sig_atomic_t& leaves) {
      broker::Client client(address_, {.is_interrupted = [&] { return leaves != 0; }});
      return cluster::WorkerLoop(client, job, terms, make, leaves).run();
    });
    constexpr std::chrono::milliseconds pause(20);
    while (crew.tend() && !is_interrupted()) std::this_thread::sleep_for(pause);
    fmt::print(stderr, "heddle: {} the job {}\n", is_interrupted() ? "left" : "done with", job);
  }

  const Arguments& arguments_;
  const broker::Address address_;
  broker::Client client_;
  std::vector<std::string> command_;
  cluster::Program own_;
};

}  // namespace

int run_worker(const Arguments& arguments) {
  const Interrupts interrupts;
  try {
    Helper(arguments).run();
  } catch (const broker::Interrupted&) {
  } catch (const broker::Error& error) {
    throw Misuse(error.what());
  }
  return exit_ok;
}

}  // namespace heddle::cli
