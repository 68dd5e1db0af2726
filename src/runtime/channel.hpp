// This worker's end of the channel to the engine: requests come in, the reply to the one that is
// being run is written piece by piece.
#pragma once

#include "runtime/wire.h"

namespace heddle::runtime {

// Opens the channel that the environment names; without one, makes one of our own with a request
// for the run in the file that the environment names, or for the first schedule. True if there is
// an engine.
bool open_channel();
// Its descriptor, if there is an engine; else negative.
int channel_file();

const abi::Settings& settings();
// Whether the settings are others than when this was asked last.
bool settings_changed();

// The names of threads, see abi::Channel, and of steps.
abi::Channel& channel();
abi::Dictionary& dictionary();

// The request to be run, and its moves, between these: waits for the next request; done with it.
const abi::RequestHeader& request();
const abi::WireMove* moves();
void await_request();
void finish_request();
// The one after it, or null if that is not there yet.
const abi::RequestHeader* following_request();

// The reply under way. Its header is in shared memory from the start, so that what a run did can be
// read if the process dies in it.
abi::ReplyHeader& reply();
void begin_reply();
// Room for so many more bytes, at the end of what has been added. Null: no run can be that long.
void* add_to_reply(std::uint64_t bytes);
// Nothing has been added but the header.
bool is_reply_empty();
template <typename T>
T* add_to_reply() {
  return static_cast<T*>(add_to_reply(sizeof(T)));
}
void publish_reply();
// By a process that this one started.
void reply_was_published();

// For the engine, if there is one: why this process ends. May be called at any time.
void leave_word(abi::Word kind, const char* text);

}  // namespace heddle::runtime
