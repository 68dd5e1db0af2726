// One run of the program, from the request to the reply.
#pragma once

namespace heddle::runtime {

// Runs the program as requested, from its beginning or from a savepoint on the way; the reply is
// complete afterwards, but not published.
// REQUIRES: on the base fiber; a request has been awaited and its reply begun.
void run_program(void* (*main_function)(void*));

}  // namespace heddle::runtime
