// Files that threads share: streams, and what is behind descriptors. A position is moved, contents
// are written, a stream is closed: what others find later depends on it. Such uses are told as
// those of other state that is no memory of the program (hidden.hpp): where nothing orders two of
// them, both orders are explored. The call itself has to follow at once.
//
// A file has a name that is the same in all runs with the same trace: who opened it, as which of
// its files. The number of its descriptor is none, as that hangs on what others have open; it is
// taken for opaque, and who gets which is not explored.
//
// What is written to standard output and standard error no thread reads: in which order it comes
// there does not matter, unless a thread closes them or puts another file there.
#pragma once

#include <cstdint>

#include "runtime/kernel/savepoint.hpp"

namespace heddle::runtime {

// As functions.h has it.
enum class FileUse : char { looks = 'r', changes = 'w', puts_out = 'o', closes = 'c' };

// The current thread is about to use a stream, a FILE of the C library. To use one that is closed
// is a finding, and so is to close one that others may be using.
void use_stream(const void* stream, FileUse how);
void use_descriptor(int fd, FileUse how);

// The current thread has opened a file, and this is its number.
void note_opened(int fd);
// Now both are one file, with one position.
void note_copy(int of, int copy);

void clear_files();
void save_files(Savepoint& into);

}  // namespace heddle::runtime
