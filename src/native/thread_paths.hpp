// Threads by their paths, and cubes in terms of these: for files, and for other processes.
//
// The number of a thread means something only beside the table that has it (Numbering). A path does
// by itself: "0" is main, "0.2" the third thread that main creates, "0.2.0" the first that this one
// creates.
//
// What is the same thread need not have the same number in two tables. But some steps belong to the
// thread with the lowest number of several (see giving_up.hpp and barrier.cpp of the runtime):
// which one that is depends on the table. So parts of one exploration are explored with the same
// numbers.
#pragma once

#include <string>
#include <string_view>

#include "model/cube.hpp"
#include "native/numbering.hpp"

namespace heddle::native {

// REQUIRES: the numbering is sound and has this thread.
std::string path_of(ThreadId thread, const Numbering& numbering);

// The number of the thread with this path. If the numbering does not have it, it is added, and so
// are those that lead to it: the numbering stays sound. Throws Misuse if the text is not a path, or
// if there are more threads than a program can have; then nothing is added. REQUIRES: the numbering
// is sound.
ThreadId number_of(std::string_view path, Numbering& numbering);

// "0.1:3<0:5 0:7<0.1:4!": the step 3 of thread 0.1 comes before the step 5 of main, and so on, in
// the order of the waits; an exclamation mark where a run counts only if they are ordered. A cube
// without waits is the empty text. REQUIRES: as for path_of.
std::string to_text(const Cube& cube, const Numbering& numbering);

// The same backwards. Throws Misuse as number_of does, and if the text is anything that to_text
// would not have written: a wait of a thread for itself, more waits than a worker takes, steps that
// no run can have. REQUIRES: the numbering is sound.
Cube cube_of(std::string_view text, Numbering& numbering);

}  // namespace heddle::native
