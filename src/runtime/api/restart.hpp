// The process can be started over in another way: it executes its program again, and continues with
// the request that it was in. Whatever a run has to find done before main begins is done so.
#pragma once

namespace heddle::runtime {

// The initialisers of the program are a part of each run.
inline constexpr char way_in_runs[] = "in runs";
// A library is loaded before main: the flags of dlopen and its name come behind this. Or one that
// the C library loads by itself, a part of it: its name.
inline constexpr char way_with_library[] = "library ";
inline constexpr char way_with_part[] = "part ";
// At most so long.
inline constexpr unsigned longest_way = 1000;

// To be called first: as the system gave them. The environment is behind the arguments.
void remember_start(int count, char** arguments);

// In this way from now on, beside all those before.
[[noreturn]] void start_over(const char* way);
using VisitWay = void (*)(const char* way, void* argument);
void for_ways_to_start(VisitWay visit, void* argument = nullptr);

// This is a process for one run: another, which waits for it, is to be started over, if it ends
// with this status.
inline constexpr int restart_status = 77;
void begin_single_run();
[[noreturn]] void start_over_for_child();

}  // namespace heddle::runtime
