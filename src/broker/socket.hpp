// A socket as a stream: TCP or unix.
#pragma once

#include <memory>

#include "broker/address.hpp"
#include "broker/stream.hpp"

namespace heddle::broker {

// Throws Lost if there is no connection by then, and Misuse if the host has to be this machine, by
// its name, and is not.
std::unique_ptr<Stream> connect_socket(const Address& address, Clock::time_point deadline);

}  // namespace heddle::broker
