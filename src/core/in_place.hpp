// What a step would do in another place, where that is known without running it.
//
// The second event of a race comes, in its reversal, where the first was. Let it have one object,
// of which the way it is used varies. Before the first, all is there that was: in the new place the
// object is as the first found it. (What comes between them in the reversal happens neither before
// nor after the first, so it does not change the object; adds, which commute, are an exception.) So
// what the first did tells what the second finds: a thread that locked a mutex found it free. For
// memory, the event has to name the value that the first found. The state of a condition variable
// follows from what has been done to it.
#pragma once

#include <optional>

#include "core/sleeper.hpp"
#include "model/event.hpp"

namespace heddle {

// How the second uses its object in the place of the first, after the first `length` events of the
// trail. Null if it has to be run.
std::optional<Access> use_in_place_of(const Footprints& footprints, const Event& first,
                                      const Event& second, const Trail& trail, std::size_t length);

}  // namespace heddle
