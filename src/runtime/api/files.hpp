// Files that threads share: streams, and the files of descriptors. A position is moved, contents
// are written, a stream is closed: what other threads find later depends on it. Such uses are
// reported like those of other state that is not memory of the program (hidden.hpp): where nothing
// orders two of them, both orders are explored. The call itself has to follow at once.
//
// A file has a name that is the same in all runs of the same Mazurkiewicz trace: the thread that
// opened it, and which of its files it is. The number of its descriptor is not a name, as it
// depends on what other threads have open; it is treated as opaque, and which thread gets which
// number is not explored.
//
// What is written to standard output and standard error is read by no thread: in which order it
// arrives there does not matter, unless a thread closes them or replaces them by another file.
#pragma once

#include <cstdint>

#include "runtime/kernel/savepoint.hpp"

namespace heddle::runtime {

// As functions.h has it.
enum class FileUse : char { looks = 'r', changes = 'w', puts_out = 'o', closes = 'c' };

// The current thread is about to use a stream, a FILE of the C library. To use one that is closed
// is a finding, and so is to close one that other threads may be using.
void use_stream(const void* stream, FileUse how);
void use_descriptor(int fd, FileUse how);

// The current thread has opened a file, and this is its descriptor.
void note_opened(int fd);
// Now both descriptors are one file, with one position.
void note_copy(int of, int copy);

void clear_files();
void save_files(Savepoint& into);

}  // namespace heddle::runtime
