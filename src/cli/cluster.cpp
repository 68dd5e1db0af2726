#include "cli/cluster.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "base/check.hpp"
#include "cluster/coordinator.hpp"

namespace heddle::cli {

void explore_through_broker(const Arguments& arguments, const std::string& algorithm,
                            native::Options& options) {
  const Algorithm& found = *find_algorithm(algorithm);
  if (!found.is_divisible())
    throw Misuse(
        fmt::format("--broker is for algorithms that explore parts, and {} does not", algorithm));
  if (options.explore.max_executions != 0)
    throw Misuse("--executions cannot be kept to with --broker: limit the time instead (--time)");
  cluster::Coordination out;
  out.address = broker::parse_address(arguments.broker, arguments.access);
  out.command = options.command;
  out.terms = {algorithm, cluster::shared_words(options), arguments.silence, arguments.parts};
  out.keep_going = options.keep_going;
  out.keep_job = arguments.keep_job;
  out.on_created = [where = out.address.text()](const std::string& job) {
    fmt::print(stderr, "heddle: job {} at {}\n", job, where);
  };
  out.first_run = [&found, options] { return cluster::first_run(found, options); };
  cluster::check_reachable(out.address);
  options.elsewhere = cluster::through_broker(std::move(out));
}

}  // namespace heddle::cli
