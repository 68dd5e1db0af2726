// The process can be started over in another way: it executes its program again, and continues with
// the request that it was in. What a run needs done before main begins is done like this.
#pragma once

namespace heddle::runtime {

// The initialisers of the program are a part of each run.
inline constexpr char way_in_runs[] = "in runs";
// A library is loaded before main: the flags of dlopen and its name come after this. Or one that
// the C library loads by itself, a part of it: its name.
inline constexpr char way_with_library[] = "library ";
inline constexpr char way_with_part[] = "part ";
// The longest way, in bytes.
inline constexpr unsigned longest_way = 1000;

// To be called first, with the arguments as the system passed them. The environment is after them.
void remember_start(int count, char** arguments);

// In this way from now on, in addition to all earlier ways.
[[noreturn]] void start_over(const char* way);
using VisitWay = void (*)(const char* way, void* argument);
void for_ways_to_start(VisitWay visit, void* argument = nullptr);

// This is a process for one run: another one, which waits for it, is to be started over if this one
// ends with this status.
inline constexpr int restart_status = 77;
void begin_single_run();
[[noreturn]] void start_over_for_child();

}  // namespace heddle::runtime
