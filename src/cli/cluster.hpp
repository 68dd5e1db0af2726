// What commands share that use a broker.
#pragma once

#include "broker/client.hpp"
#include "cli/arguments.hpp"

namespace heddle::cli {

// Has the exploration give out parts through the broker that the arguments name. Throws Misuse if
// the broker is out of reach, or the arguments do not go together.
void explore_through_broker(const Arguments& arguments, const std::string& algorithm,
                            native::Options& options);

}  // namespace heddle::cli
