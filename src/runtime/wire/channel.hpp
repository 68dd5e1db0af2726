// This worker's end of the channel to the engine: requests come in; the reply to the current one is
// written piece by piece.
#pragma once

#include "runtime/abi/wire.h"

namespace heddle::runtime {

// Opens the channel that the environment names; without one, makes one of its own with a request
// for the run in the file that the environment names, or for the first schedule. True if there is
// an engine.
bool open_channel();
bool has_engine();
// The descriptors of the channel and of the names, if there is an engine; otherwise negative.
int channel_file();
int names_file();

const abi::Settings& settings();
// Whether the settings differ from those at the previous call.
bool settings_changed();

abi::Channel& channel();
// The names of steps and threads, shared with other workers of the program.
abi::Names& names();

// The current request, and its moves, between these: await_request waits for the next request;
// finish_request is done with it.
const abi::RequestHeader& request();
const abi::WireMove* moves();
void await_request();
void finish_request();
// The request after it, or null if that is not there yet.
const abi::RequestHeader* following_request();

// The reply that is being written. Its header is in shared memory from the start, so that what a
// run did can be read if the process dies during it.
abi::ReplyHeader& reply();
void begin_reply();
// Room for this number of bytes more, at the end of what has been added. Null: no run can be that
// long.
void* add_to_reply(std::uint64_t bytes);
// Whether nothing has been added except the header.
bool is_reply_empty();
template <typename T>
T* add_to_reply() {
  return static_cast<T*>(add_to_reply(sizeof(T)));
}
void publish_reply();
// By a process that this one started.
void reply_was_published();

}  // namespace heddle::runtime
