// Mailboxes: each thread has one. The messages themselves are memory of the program, linked to each
// other. What is done with them is in messages.hpp.
#pragma once

#include <cstdint>

#include "runtime/abi/messages.h"
#include "runtime/kernel/savepoint.hpp"
#include "runtime/kernel/state_hash.hpp"
#include "runtime/kernel/text.hpp"

namespace heddle::runtime {

struct Mailbox {
  abi::Message *first, *last;
  // Of the receive that its thread has announced: the message that it takes, or null, and by which
  // pattern; the last message that was looked at.
  abi::Message *found, *seen;
  const abi::MessagePattern* patterns;
  std::uint32_t pattern_count, pattern_name, which;
  bool waits;   // there is one
  bool judges;  // it asks the program
  bool closed;  // its thread receives no more; since this tick of its clock
  std::uint32_t closed_at;
};

Mailbox& mailbox_of(unsigned thread);
// To be called before the first is used in a run.
void use_mailboxes();

// What the engine is told that a message is, or that a receive accepts.
std::uint32_t name_of_message(const abi::Message& m);
std::uint32_t name_of_patterns(const abi::MessagePattern* patterns, std::uint32_t count);

// Whether some pattern fits, whatever the program says of it.
bool fits(const abi::MessagePattern& pattern, const abi::Message& m);

// The current thread's mailbox is closed: it is known to be so to all that learn what the thread
// does from now on. is_known_closed: to the current thread.
void close_mailbox();
bool is_known_closed(unsigned thread);

// Where a message was sent that no thread has received, and that some should have; null if there
// is none.
const void* never_received();
// The messages of a mailbox, in words.
void describe_messages(unsigned thread, Text& text);

void clear_mailboxes();
void save_mailboxes(Savepoint& into);
void digest_mailboxes(StateHash& into);

}  // namespace heddle::runtime
