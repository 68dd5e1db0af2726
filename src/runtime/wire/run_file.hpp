// The run that a program makes which is started by hand, with a file of the engine's that has its
// settings and its schedule.
#pragma once

#include "runtime/abi/wire.h"

namespace heddle::runtime {

// Reads the file: the settings, and the request with its moves, for which there is room. Refuses
// what is no such file.
void read_run_file(const char* path, abi::Settings& settings, char* request);

// What a request takes in the ring, with its moves.
std::uint64_t bytes_of(const abi::RequestHeader& request);

}  // namespace heddle::runtime
