// Messages between threads, as <heddle/actors.h> lays them out in the program, and how the engine
// is told which of them a receive accepts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/abi/wire_steps.h"

namespace heddle::abi {

// The type of a message: a constant of the program.
struct MessageKind {
  const char* name;
  std::uint64_t size;
  void (*destroy)(void*);
  std::uint64_t quiet;  // it need not be received
};

// Its data follows. A message belongs to its sender until it is sent, then to the runtime, and to
// the receiver once it is received.
struct alignas(16) Message {
  Message* next;  // in the mailbox
  const MessageKind* kind;
  std::uint64_t tag;
  std::uint64_t sender;  // a process: the number of its thread, + 1
  std::uint64_t size;    // of its data
  // Of the runtime: its name, the name of its pattern, and where it was sent.
  std::uint32_t number, pattern;
  const void* site;
};
static_assert(sizeof(Message) == 64 && offsetof(Message, number) == 40);

// What a receive accepts: any of several.
struct MessagePattern {
  const MessageKind* kind;  // null: plain bytes
  std::uint64_t tag;
  std::uint32_t any_kind, any_tag;
  int (*accepts)(void* context, const Message* message);  // or null; negative: it has thrown
  void* context;
};
static_assert(sizeof(MessagePattern) == 40);

// A message is named by its sender and the number of steps that the sender has taken.
inline constexpr unsigned step_bits = 18;
static_assert(max_steps <= 1U << step_bits && max_threads < 1U << (32 - step_bits));
constexpr std::uint32_t message_number(unsigned sender, std::uint32_t taken) {
  return sender << step_bits | taken;
}
inline constexpr std::uint32_t no_message = ~0U;

// A list of patterns has a name in the dictionary, as if it were a step: each pattern is an access,
// with the kind's address, the following bits, and the tag in `a` and `b`.
inline constexpr std::uint64_t any_kind_bit = std::uint64_t{1} << address_bits,
                               any_tag_bit = any_kind_bit << 1, judged_bit = any_kind_bit << 2;

}  // namespace heddle::abi
