// This worker's end of the channel to the engine: requests come in, the reply to the one that is
// being run is written piece by piece.
#pragma once

#include "runtime/abi/wire.h"

namespace heddle::runtime {

// Opens the channel that the environment names; without one, makes one of our own with a request
// for the run in the file that the environment names, or for the first schedule. True if there is
// an engine.
bool open_channel();
bool has_engine();
// The descriptors of the channel and of the names, if there is an engine; else negative.
int channel_file();
int names_file();

const abi::Settings& settings();
// Whether the settings are others than when this was asked last.
bool settings_changed();

abi::Channel& channel();
// Of steps and threads, shared with other workers of the program.
abi::Names& names();

// The request to be run, and its moves, between these: waits for the next request; done with it.
const abi::RequestHeader& request();
const abi::WireMove* moves();
void await_request();
void finish_request();
// The one after it, or null if that is not there yet.
const abi::RequestHeader* following_request();

// The reply that is being written. Its header is in shared memory from the start, so that what a
// run did can be read if the process dies in it.
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

}  // namespace heddle::runtime
