// Properties of threads that change nothing here, but that programs can ask for: names, priorities,
// and processors.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <cstddef>

#include "runtime/kernel/savepoint.hpp"

namespace heddle::runtime {

// A new thread has what the current one has; the first has none, and then no thread has any.
void begin_properties(unsigned id);
void save_properties(Savepoint& into);

// Which processors a thread is told that it may use, by the number that it has for the system;
// those of another process are what the system says. Each thread can choose, which changes nothing
// but that; before main begins, the process can. As system calls: how many bytes were written, or
// the error, negative.
long set_processors(pid_t number, std::size_t size, const cpu_set_t* set);
long get_processors(pid_t number, std::size_t size, cpu_set_t* out);

// What prctl does to the name of the current thread. False if the option is for something else.
bool use_name(int option, long argument);

}  // namespace heddle::runtime
