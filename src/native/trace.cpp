#include "native/trace.hpp"

#include <algorithm>
#include <map>

#include "native/steps.hpp"

namespace heddle::native {

using findings::is_system;
using findings::Row;
using findings::Trace;

namespace {

// `main::$_0::operator()() const` is "a lambda in main"; others go without their parameters.
std::string short_name(const std::string& function) {
  for (const char* mark : {"::$_", "::{lambda", "::'lambda"})
    if (const std::size_t at = function.find(mark); at != std::string::npos)
      return "lambda in " + short_name(function.substr(0, at));
  const std::size_t parameters = function.find('(');
  return parameters == 0 ? function : function.substr(0, parameters);
}

constexpr std::size_t longest_repeated =
    48;  // longer messages, already printed in full, are not repeated

// Findings whose message names a block and, in parentheses, says more about it.
bool is_of_block(abi::Finding kind) {
  return kind == abi::Finding::use_after_free || kind == abi::Finding::double_free ||
         kind == abi::Finding::out_of_bounds;
}

class Builder {
 public:
  Builder(const Explanation& run, const Symbols& symbols, Names& names)
      : run_(run), symbols_(symbols), steps_(run, symbols, names) {}

  Trace build(const std::string& message, const Place& place) {
    for (std::size_t k = 0; k <= run_.steps.size(); ++k) {
      if (k > 0) add_step(run_.steps[k - 1], k);
      add_accesses(k);
      if (k == run_.finding_at && !message.empty()) add_finding(message, place);
    }
    if (out_.end == 0) out_.end = out_.rows.size();
    // These are named last, so that the blocks with the lowest numbers are those that are shown.
    for (const auto& [row, step] : library_steps_) steps_.read(*step, out_.rows[row]);
    name_files_alike();
    return std::move(out_);
  }

 private:
  // For a place in a library, shows its caller in the user's code.
  void locate(Row& row, std::uint64_t site, const std::vector<abi::WireFrame>& frames) {
    row.place = symbols_.site(site).value_or(Place{});
    row.stack = places(frames, symbols_);
    row.source = row.place.file;
    if (row.place.line == 0) row.place = {};
    for (const Place& frame : row.stack) {
      if (frame.line == 0 || is_system(frame.file)) continue;
      if (row.place.line == 0 || is_system(row.place.file)) row.place = frame;
      if (row.place.line == frame.line && frame.file.ends_with(row.place.file))
        row.source = frame.file;
      break;
    }
    if (row.source.empty() || is_system(row.source)) row.source = row.place.file;
    name_thread(row);
  }

  // The pass names files as the compiler was given them, the debug information in full. The shorter
  // name is for people; the longer one is where the file is.
  void name_files_alike() {
    std::map<std::string, std::string> full, given;
    for (const Row& row : out_.rows)
      if (row.source != row.place.file) {
        full[row.place.file] = row.source;
        given[row.source] = row.place.file;
      }
    for (Row& row : out_.rows) {
      if (const auto f = full.find(row.source); f != full.end()) row.source = f->second;
      const auto rename = [&](Place& place) {
        if (const auto g = given.find(place.file); g != given.end()) place.file = g->second;
      };
      rename(row.place);
      for (findings::Holder& h : row.holders) rename(h.since);
    }
  }

  void name_thread(const Row& row) {
    if (out_.threads.size() <= row.thread) out_.threads.resize(row.thread + 1);
    std::string& name = out_.threads[row.thread];
    if (!name.empty()) return;
    const auto outermost = std::find_if(row.stack.rbegin(), row.stack.rend(), [](const Place& p) {
      return p.line != 0 && !is_system(p.file);
    });
    if (outermost != row.stack.rend()) name = short_name(outermost->function);
  }

  void add_step(const Explanation::Step& step, std::size_t number) {
    Row row;
    row.number = number;
    row.thread = step.move.thread;
    row.origin = steps_.origin(step, number);
    row.routine = steps_.is_routine(step);
    row.own = steps_.is_own(step);
    locate(row, step.site, step.frames);
    row.library = steps_.is_librarys(step, row.stack);
    if (row.library)
      library_steps_.push_back({out_.rows.size(), &step});
    else
      steps_.read(step, row);
    place_of_step_[number] = row.place;
    out_.rows.push_back(std::move(row));
  }

  void add_accesses(std::size_t at) {
    const bool race = run_.outcome.finding == abi::Finding::data_race;
    for (std::size_t k = 0; k < run_.spots.size(); ++k) {
      const Explanation::Spot& spot = run_.spots[k];
      if (spot.access.at != at) continue;
      Row row;
      row.kind = Row::Kind::access;
      row.thread = spot.access.thread;
      steps_.read(spot.access, row);
      if (race && k == 1)
        row.origin = {findings::Origin::Relation::races, {run_.spots[0].access.thread}};
      locate(row, spot.access.site, spot.frames);
      out_.rows.push_back(std::move(row));
    }
  }

  void add_waiting() {
    for (const Explanation::Step& step : run_.waiting) {
      Row row;
      row.kind = Row::Kind::waits;
      row.thread = step.move.thread;
      steps_.read_waiting(step, row);
      for (findings::Holder& h : row.holders) h.since = place_of_step_.at(h.step);
      locate(row, step.site, step.frames);
      if (is_system(row.place.file)) be_where_it_was(row);
      out_.rows.push_back(std::move(row));
    }
  }

  // The thread waits in a library: its last step was taken in the same call of the user's code.
  void be_where_it_was(Row& row) const {
    const auto last = std::find_if(out_.rows.rbegin(), out_.rows.rend(), [&](const Row& r) {
      return r.thread == row.thread && r.place.line != 0;
    });
    if (last == out_.rows.rend() || is_system(last->place.file)) return;
    row.place = last->place;
    row.source = last->source;
  }

  // A data race or a deadlock is shown by the rows of the threads that take part.
  void add_finding(const std::string& message, const Place& place) {
    const bool shown = (run_.outcome.finding == abi::Finding::data_race && !run_.spots.empty()) ||
                       run_.outcome.finding == abi::Finding::deadlock;
    if (!shown) {
      Row row;
      row.kind = Row::Kind::finding;
      row.thread = run_.outcome.thread;
      row.note = message;
      if (is_of_block(run_.outcome.finding)) row.note = message.substr(0, message.find(" ("));
      if (row.note.size() > longest_repeated)
        row.note = abi::finding_names[static_cast<std::size_t>(run_.outcome.finding)];
      row.place = place;
      row.source = place.file;
      out_.rows.push_back(std::move(row));
    }
    if (run_.outcome.finding == abi::Finding::deadlock ||
        run_.outcome.finding == abi::Finding::livelock)
      add_waiting();
    out_.end = out_.rows.size();
  }

  const Explanation& run_;
  const Symbols& symbols_;
  StepReader steps_;
  std::vector<std::pair<std::size_t, const Explanation::Step*>> library_steps_;  // by their rows
  std::map<std::size_t, Place> place_of_step_;                                   // by number
  Trace out_;
};

}  // namespace

std::vector<Place> places(const std::vector<abi::WireFrame>& frames, const Symbols& symbols) {
  std::vector<std::uint64_t> addresses;
  for (const abi::WireFrame& f : frames) addresses.push_back(f.code);
  return symbols.stack(addresses);
}

Trace trace_of(const Explanation& run, const Symbols& symbols, Names& names,
               const std::string& message, const Place& place) {
  Trace out = Builder(run, symbols, names).build(message, place);
  out.blocks = names.blocks();
  return out;
}

}  // namespace heddle::native
