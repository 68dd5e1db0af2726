// What was asked for, by ticket. Tickets that are no longer in use are given out again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/check.hpp"
#include "core/task.hpp"
#include "core/tree.hpp"

namespace heddle {

class Tickets {
 public:
  struct Ticket {
    bool in_use = false;
    Task::Kind kind = Task::Kind::leaf;
    Node* node = nullptr;  // the leaf, the end, or the event in whose place v comes
    std::vector<Event> v;
  };

  std::uint64_t add(Task::Kind kind, Node* node, std::span<const Event> v = {}) {
    if (unused_.empty()) {
      unused_.push_back(tickets_.size());
      tickets_.emplace_back();
    }
    const std::uint64_t ticket = unused_.back();
    unused_.pop_back();
    Ticket& t = tickets_[ticket];
    HEDDLE_CHECK(!t.in_use && node != nullptr && (kind == Task::Kind::probe) == !v.empty());
    t.in_use = true;
    t.kind = kind;
    t.node = node;
    t.v.assign(v.begin(), v.end());
    return ticket;
  }

  const Ticket& operator[](std::uint64_t ticket) const {
    HEDDLE_CHECK(ticket < tickets_.size() && tickets_[ticket].in_use);
    return tickets_[ticket];
  }

  void remove(std::uint64_t ticket) {
    HEDDLE_CHECK(ticket < tickets_.size() && tickets_[ticket].in_use);
    tickets_[ticket].in_use = false;
    unused_.push_back(ticket);
  }

  bool empty() const { return unused_.size() == tickets_.size(); }

  template <typename Visit>
  void for_each(Visit visit) const {
    for (const Ticket& t : tickets_)
      if (t.in_use) visit(t);
  }

 private:
  std::vector<Ticket> tickets_;
  std::vector<std::uint64_t> unused_;
};

}  // namespace heddle
