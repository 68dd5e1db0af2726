// The memory image: what the program's memory was when main began, and how it is put back.
#pragma once

namespace heddle::runtime {

// Remembers the writable memory of every loaded object except this library and the dynamic loader,
// and the heap made so far, as memory to be put back (pages.hpp), unless only a single run is made;
// and where the code of the system is.
void take_image(bool many_runs);

// Calls visit for each stretch of the program's memory, thread-local memory included, that a run
// can have written to.
void for_written_memory(void (*visit)(const char* begin, const char* end));

}  // namespace heddle::runtime
