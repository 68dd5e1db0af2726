#include "report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "findings/phrases.hpp"
#include "report/source.hpp"

namespace heddle::report {
namespace {

using findings::Row;

constexpr std::size_t gap = 2;
// From one thread's column to the next.
constexpr std::size_t widest_step = 30, fair_step = 14, narrowest_step = 4;
// Columns that a line of source must have, and that its text alone must have to be legible: with
// less room, only its number is shown.
constexpr std::size_t least_source = 24, least_text = 8;

std::string base_name(const std::string& file) {
  return std::filesystem::path(file).filename().string();
}

const char* mark_of(const Row& row) {
  switch (row.kind) {
    case Row::Kind::step:
      return "";
    case Row::Kind::access:
      return "▶ ";
    default:
      return "✗ ";
  }
}

class Table {
 public:
  Table(const findings::Trace& trace, const std::vector<Shown>& rows, const Style& style)
      : trace_(trace), style_(style) {
    std::set<unsigned> threads;
    std::set<std::string> files;
    std::size_t last = 0;
    for (const Shown& s : rows) {
      if (s.row != nullptr) {
        threads.insert(s.row->thread);
        if (s.row->place.line != 0) files.insert(s.row->place.file);
        line_digits_ = std::max(line_digits_, std::to_string(s.row->place.line).size());
        last = std::max(last, s.row->number);
      } else if (s.thread) {
        threads.insert(*s.thread);
      }
    }
    threads_.assign(threads.begin(), threads.end());
    one_file_ = files.size() == 1 ? *files.begin() : "";
    gutter_ = 2 + std::to_string(last).size() + gap;
    for (const Shown& s : rows) measure(s);
    choose_layout();
  }

  std::vector<std::string> header() const {
    if (step_ == 0) return {};
    const bool wide = names_fit();
    std::vector<std::string> out;
    if (!wide && std::ranges::any_of(threads_, [&](unsigned t) { return !name_of(t).empty(); })) {
      std::string all;
      for (const unsigned t : threads_)
        all += fmt::format("{}thread {}{}", all.empty() ? "  " : ", ", t, in_brackets(t));
      out.push_back(cut(all, style_.width));
    }
    std::string line = "", plain = "";
    for (std::size_t k = 0; k < threads_.size(); ++k) {
      const unsigned t = threads_[k];
      const std::string name =
          wide ? fmt::format("thread {}{}", t, in_brackets(t))
               : (step_ >= width_of(fmt::format("thread {}", t)) + gap || threads_.size() == 1
                      ? fmt::format("thread {}", t)
                      : fmt::format("{}", t));
      const std::string fill(offset(k) - width_of(plain), ' ');
      plain += fill + name;
      line += fill + coloured(name, Colour::thread, style_, t);
    }
    const std::string file = shown(base_name(one_file_));
    if (width_of(file) <= source_ && width_of(plain) + gap <= source_at_) {
      const std::string fill(source_at_ - width_of(plain), ' ');
      line += fill + coloured(file, Colour::dim, style_);
    }
    out.push_back(line);
    return out;
  }

  std::string line(const Shown& s) {
    std::string out = padded(s.row == nullptr || s.row->number == 0
                                 ? ""
                                 : fmt::format("{:>{}}", s.row->number, gutter_ - gap),
                             gutter_);
    out = coloured(out, Colour::dim, style_);
    std::size_t at = gutter_;
    const bool marked = s.row != nullptr && s.row->kind != Row::Kind::step;
    const std::optional<unsigned> thread = s.row != nullptr ? s.row->thread : s.thread;
    const std::size_t own =
        thread ? static_cast<std::size_t>(std::ranges::find(threads_, *thread) - threads_.begin())
               : 0;
    for (std::size_t k = 0; step_ != 0 && k < own; ++k) {
      out += coloured("│", Colour::dim, style_) + std::string(step_ - 1, ' ');
      at += step_;
    }
    const std::size_t room = (source_ > 0 ? source_at_ - gap : style_.width) - at;
    const std::string cell = cut(cell_of(s), room);
    // The origin is added in a subdued colour.
    const std::size_t what = std::min(cell.size(), main_part(s).size());
    out += s.row == nullptr ? coloured(cell, Colour::dim, style_)
                            : coloured(cell.substr(0, what), marked ? Colour::red : Colour::thread,
                                       style_, *thread) +
                                  coloured(cell.substr(what), Colour::dim, style_);
    at += width_of(cell);
    for (std::size_t k = own + 1; step_ != 0 && k < threads_.size(); ++k) {
      if (offset(k) < at + 1) continue;
      out += std::string(offset(k) - at, ' ') + coloured("│", Colour::dim, style_);
      at = offset(k) + 1;
    }
    const std::string source = s.row == nullptr ? "" : source_of(*s.row);
    if (source_ > 0 && !source.empty())
      out +=
          std::string(source_at_ - at, ' ') + coloured(cut(source, source_), Colour::dim, style_);
    return out;
  }

  std::string shown(const std::string& text) const {
    return style_.unicode ? text : as_ascii(text);
  }

 private:
  std::size_t offset(std::size_t k) const { return gutter_ + k * step_; }

  std::string name_of(unsigned thread) const {
    return thread < trace_.threads.size() ? shown(harmless(trace_.threads[thread])) : "";
  }
  std::string in_brackets(unsigned thread) const {
    const std::string name = name_of(thread);
    return name.empty() ? "" : fmt::format(" ({})", name);
  }
  bool names_fit() const {
    for (std::size_t k = 0; k < threads_.size(); ++k) {
      const std::size_t width =
          width_of(fmt::format("thread {}{}", threads_[k], in_brackets(threads_[k])));
      const bool is_last = k + 1 == threads_.size();
      if (is_last ? offset(k) + width > style_.width : width + gap > step_) return false;
    }
    return true;
  }

  std::string main_part(const Shown& s) const {
    if (s.row == nullptr)
      return fmt::format("{} {} event{}{}{}", style_.unicode ? "…" : "...", s.folded,
                         s.folded == 1 ? "" : "s", s.thread ? "" : " of several threads",
                         s.library ? " in libraries" : "");
    const std::string thread = step_ == 0 ? fmt::format("thread {}: ", s.row->thread) : "";
    const std::string times = s.times == 1 ? "" : fmt::format(" ({} times)", s.times);
    return shown(thread + mark_of(*s.row) + harmless(what(*s.row)) + times);
  }
  std::string cell_of(const Shown& s) const {
    const std::string origin = s.row == nullptr ? "" : origin_text(*s.row);
    return main_part(s) + (origin.empty() ? "" : ", " + shown(origin));
  }

  std::string place_of(const Row& row) const {
    return one_file_.empty() ? fmt::format("{}:{}", base_name(row.place.file), row.place.line)
                             : fmt::format("{:>{}}", row.place.line, line_digits_);
  }
  std::string source_of(const Row& row) {
    if (row.place.line == 0) return "";
    const std::string text = source_ != 0 && source_ < widest_place_ + gap + least_text
                                 ? ""
                                 : sources_.line(row.source, row.place.line);
    return shown(harmless(place_of(row) + (text.empty() ? "" : "  " + text)));
  }

  void measure(const Shown& s) {
    if (s.row != nullptr && s.row->place.line != 0) {
      widest_source_ = std::max(widest_source_, width_of(source_of(*s.row)));
      widest_place_ = std::max(widest_place_, width_of(place_of(*s.row)));
    }
    step_ = 1;  // as a column: without the thread's name
    const std::size_t width = width_of(cell_of(s));
    const std::optional<unsigned> thread = s.row != nullptr ? s.row->thread : s.thread;
    const unsigned column = thread.value_or(threads_.empty() ? 0 : threads_[0]);
    cells_[column] = std::max(cells_[column], width);
  }

  // The right end of the columns if they are `step` apart.
  std::size_t extent(std::size_t step) const {
    std::size_t out = 0;
    for (std::size_t k = 0; k < threads_.size(); ++k) {
      const auto cell = cells_.find(threads_[k]);
      out = std::max(out, gutter_ + k * step + (cell == cells_.end() ? 0 : cell->second));
    }
    return out;
  }

  // Sets the columns as far apart as they need to be and as there is room for, beside the source or
  // at least its line numbers. A cell may extend over the columns to its right.
  void choose_layout() {
    std::size_t useful = narrowest_step;
    for (const unsigned t : threads_)
      useful = std::max(
          {useful, cells_[t] + gap, width_of(fmt::format("thread {}{}", t, in_brackets(t))) + gap});
    useful = std::min(useful, widest_step);
    struct Wish {
      std::size_t source, step;
    };
    const std::size_t some_source = std::min(widest_source_, least_source);
    for (const Wish& wish :
         {Wish{widest_source_, std::min(useful, fair_step)},
          Wish{some_source, std::min(useful, fair_step)}, Wish{some_source, narrowest_step},
          Wish{widest_place_, narrowest_step}})
      for (std::size_t step = useful; step >= wish.step; --step) {
        const std::size_t reach = extent(step) + gap;
        if (reach + wish.source > style_.width) continue;
        step_ = step;
        source_at_ = reach;
        source_ = style_.width - reach;
        return;
      }
    step_ = 0;
    source_ = style_.width >= gutter_ + 40 + gap + some_source ? some_source : widest_place_;
    source_at_ = style_.width - source_;
  }

  const findings::Trace& trace_;
  const Style& style_;
  Sources sources_;
  std::vector<unsigned> threads_;          // threads that have rows
  std::string one_file_;                   // the file of all rows, if there is only one
  std::map<unsigned, std::size_t> cells_;  // by thread: the width of its widest
  std::size_t gutter_ = 0, step_ = 0;      // step 0: no columns
  std::size_t line_digits_ = 0, widest_source_ = 0, widest_place_ = 0;
  std::size_t source_at_ = 0, source_ = 0;
};

}  // namespace

std::vector<std::string> table_of(const findings::Trace& trace, const std::vector<Shown>& rows,
                                  const Style& style, bool with_stacks) {
  Table table(trace, rows, style);
  std::vector<std::string> out = table.header();
  for (const Shown& s : rows) {
    out.push_back(table.line(s));
    if (!with_stacks || s.row == nullptr) continue;
    for (const findings::Place& p : s.row->stack)
      if (p.line != 0)
        out.push_back(coloured(
            fmt::format("        {}  {}:{}", table.shown(harmless(p.function)), p.file, p.line),
            Colour::dim, style));
  }
  for (std::string& line : out) {
    if (!style.unicode) line = as_ascii(line);
    line.erase(line.find_last_not_of(' ') + 1);
  }
  return out;
}

}  // namespace heddle::report
