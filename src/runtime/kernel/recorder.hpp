// What the engine learns of each step: the event and, by the dictionary, what it does.
#pragma once

#include <span>

#include "model/access.hpp"
#include "model/footprint.hpp"
#include "runtime/abi/abi.h"
#include "runtime/abi/wire.h"
#include "runtime/kernel/savepoint.hpp"

namespace heddle::runtime {

// To be called before a run, of which the engine knows the first events.
void clear_recorder();
// REQUIRES: no event is open. After a rewind to the savepoint, resume_recording has to be called,
// as the reply is another one.
void save_recorder(Savepoint& into);
void resume_recording();

// Begins an event. Its accesses follow; it is complete when `end_event` is called or, if it is not,
// when the next one begins or the run ends: so an atomic block adds accesses as it makes them.
void begin_event(abi::WireMove move, std::uint16_t alternatives, const abi::Site* site);
// The same for a step that a thread waits to take, or could take.
void begin_waiting(unsigned id, abi::Can what, std::uint16_t alternatives, const abi::Site* site);
void end_event();

// That of the event that began last.
abi::WireMove last_move();

// These add to the event that began last. REQUIRES: it is open.
void add_access(std::uint64_t key, Mode mode, std::uint32_t a = 0, std::uint32_t b = 0);
void set_varies(Varies how);
void set_alternatives(std::uint16_t alternatives);
// For an event that has one access so far, to memory: its value, see Event.
void set_value(std::uint64_t value);

// A step that is not recorded, but looked at: after begin_draft it is open, and has the accesses
// that are added. These are valid until the next begins. drop_draft ends it.
void begin_draft();
std::span<const abi::WireAccess> draft_accesses();
void drop_draft();

}  // namespace heddle::runtime
