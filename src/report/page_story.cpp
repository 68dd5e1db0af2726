#include "report/page_story.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <ranges>

#include "findings/phrases.hpp"
#include "report/markup.hpp"
#include "report/waiting.hpp"

namespace heddle::report {
namespace {

using findings::Finding;
using findings::Row;
using findings::Verb;

constexpr std::size_t longest_chain = 3;  // reads, one from what another wrote

std::string code(std::string_view text) { return fmt::format("<code>{}</code>", escaped(text)); }

std::string listed(const std::vector<unsigned>& threads) {
  std::string out;
  for (std::size_t k = 0; k < threads.size(); ++k)
    out += fmt::format("{}{}", k == 0 ? "" : k + 1 == threads.size() ? " and " : ", ", threads[k]);
  return out;
}

bool writes(const Row& row, const findings::Object& object) {
  return std::ranges::any_of(row.actions, [&](const findings::Action& a) {
    return a.after && a.object.address == object.address && a.object.name == object.name;
  });
}
bool accesses(const Row& row, const findings::Object& object) {
  return std::ranges::any_of(row.actions, [&](const findings::Action& a) {
    return a.object.address == object.address && a.object.name == object.name;
  });
}

// Deadlocks: a sentence for each thread that is blocked.
class Blocked {
 public:
  explicit Blocked(const PageRun& run) : run_(run), waits_(waits_of(run.trace())) {}

  Story story() const {
    Story out;
    const std::vector<unsigned> circle = circle_of(waits_);
    std::vector<unsigned> blocked;
    for (const Row& row : run_.trace().rows)
      if (row.kind == Row::Kind::waits) blocked.push_back(row.thread);
    if (circle.size() == 1)
      out.title = fmt::format("Thread {} waits for itself", circle[0]);
    else if (circle.size() > 1)
      out.title = fmt::format("Threads {} wait for each other in a circle", listed(circle));
    else
      out.title = fmt::format("Thread{} {} wait{} for ever", blocked.size() == 1 ? "" : "s",
                              listed(blocked), blocked.size() == 1 ? "s" : "");
    for (std::size_t k = 0; k < run_.trace().rows.size(); ++k)
      if (run_.trace().rows[k].kind == Row::Kind::waits) out.sentences.push_back(sentence(k));
    return out;
  }

 private:
  std::string sentence(std::size_t k) const {
    const Row& row = run_.trace().rows[k];
    std::string out = fmt::format("<b>Thread {}</b>{} is {}", row.thread, held_by(row.thread),
                                  escaped(what(row)));
    for (const Link& link : run_.links()[k])
      if (link.kind == Link::Kind::waits) out += " since " + run_.link_to(link.row);
    out += ".";
    if (row.verb == Verb::wake && row.object() != nullptr) out += signals(row);
    return out;
  }

  std::string held_by(unsigned thread) const {
    std::string out;
    for (const Wait& wait : waits_)
      if (wait.for_thread == thread && !wait.object.empty())
        out += fmt::format("{} {}", out.empty() ? ", which holds" : " and", code(wait.object));
    return out.empty() ? "" : out + ",";
  }

  // When it began to wait, and which signals came then.
  std::string signals(const Row& waiting) const {
    const std::vector<Row>& rows = run_.trace().rows;
    std::optional<std::size_t> since;
    std::vector<std::size_t> before, after;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const Row& row = rows[k];
      if (row.kind != Row::Kind::step || !accesses(row, *waiting.object())) continue;
      if (row.thread == waiting.thread && row.verb == Verb::wait) {
        since = k;
        before.insert(before.end(), after.begin(), after.end());
        after.clear();
      } else if (row.verb == Verb::signal || row.verb == Verb::broadcast) {
        after.push_back(k);
      }
    }
    if (!since) return "";
    std::string out = fmt::format(" It waits since {}.", run_.link_to(*since));
    if (!after.empty()) return out + " Signals since then did not wake it: " + linked(after) + ".";
    return out + (before.empty()
                      ? " No thread signals it."
                      : " The last signal came before that: " + linked({before.back()}) + ".");
  }
  std::string linked(const std::vector<std::size_t>& rows) const {
    std::string out;
    for (const std::size_t k : rows) out += (out.empty() ? "" : ", ") + run_.link_to(k);
    return out;
  }

  const PageRun& run_;
  std::vector<Wait> waits_;
};

// Back from the last read before the finding, along what was read from where.
class Backwards {
 public:
  explicit Backwards(const PageRun& run) : run_(run), rows_(run.trace().rows) {}

  std::vector<std::string> sentences(const Finding& finding) const {
    std::vector<std::string> out;
    std::optional<std::size_t> at = last_read(finding.thread);
    for (std::size_t k = 0; at && k < longest_chain; ++k) {
      out.push_back(k == 0
                        ? fmt::format("<b>Thread {}</b>: {} ({}).", rows_[*at].thread,
                                      code(what(rows_[*at])), run_.link_to(*at))
                        : fmt::format("That is from <b>thread {}</b>: {} ({}).", rows_[*at].thread,
                                      code(what(rows_[*at])), run_.link_to(*at)));
      const std::string between = came_between(*at);
      if (!between.empty()) {
        out.push_back(between);
        break;
      }
      at = source_of(*at);
    }
    return out.size() < 2 ? std::vector<std::string>{} : out;
  }

 private:
  std::optional<std::size_t> source_of(std::size_t row) const {
    for (const Link& link : run_.links()[row])
      if (link.kind == Link::Kind::reads) return link.row;
    return {};
  }

  // Of the thread, with what it reads from another.
  std::optional<std::size_t> last_read(unsigned thread) const {
    for (std::size_t k = run_.trace().end; k-- > 0;)
      if (rows_[k].thread == thread && source_of(k)) return k;
    return {};
  }

  // Between two accesses of a thread to an object, another thread wrote it.
  std::string came_between(std::size_t row) const {
    const std::optional<std::size_t> writer = source_of(row);
    if (!writer || rows_[row].object() == nullptr) return "";
    const findings::Object& object = *rows_[row].object();
    if (!writes(rows_[row], object)) return "";
    for (std::size_t k = *writer; k-- > 0;) {
      if (rows_[k].thread != rows_[row].thread || !accesses(rows_[k], object)) continue;
      return fmt::format(
          "<b>Thread {} came between</b>: after {} of thread {} ({}), it did {} ({}).",
          rows_[*writer].thread, code(what(rows_[k])), rows_[k].thread, run_.link_to(k),
          code(what(rows_[*writer])), run_.link_to(*writer));
    }
    return "";
  }

  const PageRun& run_;
  const std::vector<Row>& rows_;
};

// The message, a sentence for each of its parts.
std::vector<std::string> parts_of(const std::string& message, std::string_view separator) {
  std::vector<std::string> out;
  for (const auto part : std::views::split(message, separator))
    out.push_back(escaped(std::string_view(part.begin(), part.end())));
  return out;
}

std::vector<std::string> race_sentences(const findings::DataRace& race, const PageRun& run) {
  const auto side = [&](const findings::DataRace::Side& s) {
    const std::string place = run.link_to(s.place);
    return fmt::format("<b>Thread {}</b>: {}{} of {}{}", s.thread, s.atomic ? "atomic " : "",
                       name_of(s.verb), code(race.object), place.empty() ? "" : " at " + place);
  };
  return {side(race.previous) + ", first in this run.",
          side(race.access) + ", and nothing orders the two."};
}

}  // namespace

Story story_of(const Finding& finding, const PageRun& run) {
  const auto is_waiting = [](const Row& row) { return row.kind == Row::Kind::waits; };
  if (finding.kind == abi::Finding::deadlock && std::ranges::any_of(run.trace().rows, is_waiting))
    return Blocked(run).story();
  // What these say of each thread is parted so; in other messages, that may be the program's text.
  const bool of_threads =
      finding.kind == abi::Finding::livelock || finding.kind == abi::Finding::endless;
  const std::string_view separator = of_threads ? "; " : "\n";
  const std::string title = finding.message.substr(0, finding.message.find(separator));
  if (finding.race) return {title, race_sentences(*finding.race, run)};
  Story out{title, {}};
  if (finding.message != title) out.sentences = parts_of(finding.message, separator);
  std::ranges::move(Backwards(run).sentences(finding), std::back_inserter(out.sentences));
  return out;
}

}  // namespace heddle::report
