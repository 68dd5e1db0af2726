// Sending and receiving. A send appends to a mailbox, and a receive takes the oldest message that
// it accepts; the others stay.
//
// Which message a thread that waits would take is known at any time: it is looked for when the
// thread announces its receive, and when a message arrives. If a pattern asks the program, only the
// thread itself can do so: it becomes due, asks, and announces its receive once more.
#pragma once

#include <cstdint>

#include "runtime/abi/messages.h"
#include "runtime/kernel/mailboxes.hpp"

namespace heddle::runtime {

// The current thread is about to receive one of these: what is there is looked at. look_again: also
// what has come since. end_receive: it has received, or gives up.
void announce_receive(const abi::MessagePattern* patterns, std::uint32_t count);
void look_again();
void end_receive();

// Appends a message, and lets a thread look at it that waits.
void put_message(unsigned to, abi::Message* m);
// Takes what was found out of the current thread's mailbox. REQUIRES: there is such a message.
abi::Message* take_found();

// The current thread asks the program: what that does is neither a step nor recorded, and may
// change nothing. How an access that it makes is judged.
inline constexpr const char* judge_texts[] = {
    "a predicate of a receive writes to memory other than its own variables",
    "a predicate of a receive uses an atomic variable, a lock or the like",
    "a predicate of a receive throws an exception, or allocates or frees memory",
    "a predicate of a receive throws an exception",
    "a predicate of a receive answers differently when it is asked again",
};
enum class Misjudges : std::uint8_t { writes, synchronises, allocates, throws, wavers };
[[noreturn]] void fail_judging(Misjudges how);
// The program writes there while it judges: it may do so to what is on its stack below the runtime.
void check_judging(const void* address);
bool ask(const abi::MessagePattern& pattern, const abi::Message& m);

}  // namespace heddle::runtime
