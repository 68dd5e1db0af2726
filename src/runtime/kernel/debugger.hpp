// For a debugger that watches a run which is being explained: functions that it can stop in, and
// where it finds the threads. src/gdb/heddle_gdb.py uses them.
#pragma once

#include "runtime/abi/wire.h"

namespace heddle::runtime {

// The current thread continues with the event that was recorded last.
void show_event();
// A finding has been made.
void show_finding(abi::Finding kind, const char* text);

}  // namespace heddle::runtime
