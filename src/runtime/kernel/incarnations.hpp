// How often objects have been initialised in this run, see incarnation_key in objects.hpp.
#pragma once

#include <cstdint>

#include "runtime/kernel/savepoint.hpp"
#include "runtime/kernel/state_hash.hpp"

namespace heddle::runtime {

std::uint32_t incarnation_of(const void* object);
std::uint32_t next_incarnation(const void* object);
void set_up_incarnations();
void clear_incarnations();
void save_incarnations(Savepoint& into);
// They are in the names of objects that the engine gets.
void digest_incarnations(StateHash& into);

}  // namespace heddle::runtime
