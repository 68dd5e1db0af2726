// The different events of an exploration, each once, by number: a graph has many more edges. For
// merging (merging.hpp).
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.hpp"
#include "base/index_table.hpp"
#include "core/reduction/configurations.hpp"
#include "model/event.hpp"
#include "model/stretch.hpp"

namespace heddle {

using EventNumber = std::uint32_t;

class EventTable {
 public:
  explicit EventTable(Configurations& configurations) : configurations_(configurations) {}

  // `index` is its number in its thread, where configurations need it, or 0.
  EventNumber number_of(const Event& event, std::uint32_t index, StretchId stretch) {
    const std::uint64_t h = mix(mix(std::bit_cast<std::uint64_t>(Half{event.move, event.footprint}),
                                    std::uint64_t{event.step} << 32 |
                                        std::uint32_t{event.alternatives} << 16 | event.value),
                                std::uint64_t{stretch} << 32 | index);
    const auto known = table_.find(h, [&](std::uint32_t k) {
      return events_[k] == event && step_of(k).index == index && stretches_[k] == stretch;
    });
    if (known != IndexTable::none) return known;
    const auto number = static_cast<EventNumber>(events_.size());
    table_.add(h, number);
    events_.push_back(event);
    stretches_.push_back(stretch);
    steps_.push_back(
        configurations_.step({event.move, event.footprint, event.alternatives, index}));
    return number;
  }

  const Event& operator[](EventNumber number) const { return events_[number]; }
  Move move(EventNumber number) const { return events_[number].move; }
  StepNumber step(EventNumber number) const { return steps_[number]; }
  // Empty if it is planned only.
  StretchId stretch(EventNumber number) const { return stretches_[number]; }

 private:
  struct Half {
    Move move;
    FootprintId footprint;
  };
  const Configurations::Step& step_of(EventNumber number) const {
    return configurations_.step(steps_[number]);
  }

  Configurations& configurations_;
  std::vector<Event> events_;
  std::vector<StepNumber> steps_;     // by event
  std::vector<StretchId> stretches_;  // by event
  IndexTable table_;
};

}  // namespace heddle
