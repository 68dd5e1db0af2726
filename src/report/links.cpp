#include "report/links.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>

namespace heddle::report {
namespace {

using findings::Origin;
using findings::Row;
using findings::Verb;

class Linker {
 public:
  explicit Linker(const findings::Trace& trace) : trace_(trace) {
    for (std::size_t k = 0; k < trace.rows.size(); ++k)
      if (trace.rows[k].number != 0) by_number_.emplace(trace.rows[k].number, k);
  }

  std::vector<std::vector<Link>> build() {
    std::vector<std::vector<Link>> out(trace_.rows.size());
    for (std::size_t k = 0; k < trace_.rows.size(); ++k) {
      const Row& row = trace_.rows[k];
      const bool first = !latest_.contains(row.thread);
      if (const auto by = created_.find(row.thread); first && by != created_.end())
        out[k].push_back({Link::Kind::create, by->second});
      add_origin(row, out[k]);
      for (const findings::Holder& holder : row.holders)
        if (const auto at = by_number_.find(holder.step); at != by_number_.end())
          out[k].push_back({Link::Kind::waits, at->second});
      if (row.kind == Row::Kind::step) note_created(row, k);
      if (row.kind == Row::Kind::access) accesses_[row.thread] = k;
      latest_[row.thread] = k;
    }
    return out;
  }

 private:
  void note_created(const Row& row, std::size_t at) {
    if (row.verb != Verb::create || row.object() == nullptr) return;
    const std::string& name = row.object()->name;
    unsigned thread = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), thread).ec == std::errc())
      created_.emplace(thread, at);
  }

  void add_origin(const Row& row, std::vector<Link>& to) const {
    if (row.origin.relation == Origin::Relation::none) return;
    if (const auto at = by_number_.find(row.origin.step); at != by_number_.end()) {
      to.push_back({kind_of(row), at->second});
      return;
    }
    const bool races = row.origin.relation == Origin::Relation::races;
    const std::map<unsigned, std::size_t>& rows = races ? accesses_ : latest_;
    for (const unsigned thread : row.origin.threads)
      if (const auto at = rows.find(thread); at != rows.end())
        to.push_back({races ? Link::Kind::race : Link::Kind::join, at->second});
  }

  static Link::Kind kind_of(const Row& row) {
    if (row.origin.relation == Origin::Relation::races) return Link::Kind::race;
    const ObjectClass object = row.object() == nullptr ? ObjectClass::memory : row.object()->kind;
    if (object == ObjectClass::thread) return Link::Kind::join;
    if (row.origin.relation == Origin::Relation::after || object == ObjectClass::semaphore)
      return Link::Kind::lock;
    if (object == ObjectClass::condition) return Link::Kind::wake;
    return object == ObjectClass::mailbox ? Link::Kind::message : Link::Kind::reads;
  }

  const findings::Trace& trace_;
  std::map<std::size_t, std::size_t> by_number_;  // rows
  std::map<unsigned, std::size_t> latest_;        // row of a thread so far
  std::map<unsigned, std::size_t> accesses_;      // the latest of a thread that is not a step
  std::map<unsigned, std::size_t> created_;       // by which row
};

}  // namespace

std::string_view name_of(Link::Kind kind) {
  constexpr std::string_view names[] = {"reads",  "lock", "wake", "message",
                                        "create", "join", "race", "waits"};
  static_assert(std::size(names) == static_cast<std::size_t>(Link::Kind::waits) + 1);
  return names[static_cast<std::size_t>(kind)];
}

std::vector<std::vector<Link>> links_of(const findings::Trace& trace) {
  return Linker(trace).build();
}

}  // namespace heddle::report
