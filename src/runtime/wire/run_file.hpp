// The run of a program that is started by hand, with a file made by the engine that has its
// settings and its schedule.
#pragma once

#include "runtime/abi/wire.h"

namespace heddle::runtime {

// Reads the file: the settings, and the request with its moves, for which there has to be room.
// Refuses anything else.
void read_run_file(const char* path, abi::Settings& settings, char* request);

// The size of a request in the ring, with its moves.
std::uint64_t bytes_of(const abi::RequestHeader& request);

}  // namespace heddle::runtime
