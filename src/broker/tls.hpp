// TLS over a stream.
#pragma once

#include <memory>

#include "broker/address.hpp"
#include "broker/stream.hpp"

namespace heddle::broker {

// Makes the handshake over the stream, and verifies the certificate and that it is the host's.
// Throws Misuse if it is not, or the file with certificates cannot be used.
std::unique_ptr<Stream> encrypt(std::unique_ptr<Stream> stream, const Address& address,
                                Clock::time_point deadline);

}  // namespace heddle::broker
