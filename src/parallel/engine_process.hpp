// A process with an engine, which explores what it is told to. It ends when its connection does.
#pragma once

#include "parallel/control.hpp"
#include "parallel/message.hpp"

namespace heddle::parallel {

// What goes over a connection. To an engine: `explore` (an item, and how many runs), `split` (a
// cube), and while it explores `stop`, `give up` and `runs`. From an engine: `look` and `more runs`
// while it explores; then `ended`, `split` (the halves of its cube, none if it has none), or
// `failed`.
inline constexpr const char *says = "says", *says_explore = "explore", *says_split = "split",
                            *says_stop = "stop", *says_give_up = "give up", *says_runs = "runs",
                            *says_look = "look", *says_more = "more runs", *says_ended = "ended",
                            *says_failed = "failed";

Json to_json(const Counts& counts);
Counts counts_of(const Json& json);
Json to_json(const Item& item);
Item item_of(const Json& json);

// How often an engine tells how far it is.
inline constexpr double tell_every = 0.05;  // seconds

// Serves until the other end is closed.
void serve(Engine& engine, Connection& connection, std::size_t most_nodes);

}  // namespace heddle::parallel
