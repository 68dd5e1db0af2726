// Digests of the states that a run comes to, for explorations that compare states.
//
// The state is what determines what the program will do: the parts of kind `program` in
// worker/parts.cpp, in a normal form. It is taken at the first decision after an event, when the
// thread that made it has come to its next step, and so have all that are due. Two runs with the
// same digest do the same from there on, make the same events, and find the same.
//
// Where no savepoint could be made, because a part of the state is in the system, there is no
// digest.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// Before a run, as requested.
void begin_digests();

// Whether the state after this number of events has to be looked at. REQUIRES: those of all events
// before it have been.
bool is_digest_due(std::uint32_t events);
// Returns whether the engine knows the state, and wants the run to end there. REQUIRES: no thread
// is due.
bool take_digest();

// Adds all of them to the reply.
void report_digests();

}  // namespace heddle::runtime
