// The processors that this process may use.
#pragma once

#include <sched.h>

namespace heddle {

// As it was when this was first called: processes that are forked later see the same, wherever they
// stay. None, if the system does not tell.
const cpu_set_t& processors_at_start();

// How many these are; one, if the system does not tell.
unsigned processors();

// Whether this process may use one only, now.
bool has_one_processor();

// The k-th of `count` processes that are to use all of these at once: if there are no fewer than
// processors, it stays on one, with the processes that it starts. An engine and its worker take
// turns for a short time each, and move from one processor to the other all the time otherwise.
void take_processor(unsigned k, unsigned count);

}  // namespace heddle
