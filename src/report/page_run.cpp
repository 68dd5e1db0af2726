#include "report/page_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "findings/phrases.hpp"
#include "report/fold.hpp"
#include "report/markup.hpp"
#include "report/page_stacks.hpp"
#include "report/style.hpp"

namespace heddle::report {
namespace {

using findings::Place;
using findings::Row;

// A row takes about half a kilobyte. A browser is fluid with 10,000 of them; of a run that was cut
// off after 100,000 steps, the last ones are there.
constexpr std::size_t most_rows = 10'000;
// With more rows, these do without the text of their line, which the source has.
constexpr std::size_t most_rows_with_source = 300;
// Rows that create threads are kept, unless there are more than fit beside others.
constexpr std::size_t most_routine = 12;
// A thread's column, as far as the style has columns; and colours, which come again.
constexpr std::size_t most_columns = 24, colours = 8;
constexpr std::size_t longest_source = 160, long_text = 300;

std::string base_name(const std::string& file) {
  return std::filesystem::path(file).filename().string();
}

const char* class_of(const Row& row) {
  constexpr const char* classes[] = {"step", "access", "waits", "finding"};
  return classes[static_cast<std::size_t>(row.kind)];
}

}  // namespace

PageRun::PageRun(std::size_t number, const findings::Trace& trace, Sources& sources)
    : trace_(trace),
      sources_(sources),
      id_(fmt::format("r{}", number)),
      links_(links_of(trace)),
      first_(trace.rows.size() > most_rows ? trace.rows.size() - most_rows : 0) {
  choose_columns();
  choose_kept();
  collect_files_and_stacks();
}

void PageRun::choose_columns() {
  std::set<unsigned> threads;
  for (const Row& row : trace_.rows) threads.insert(row.thread);
  threads_.assign(threads.begin(), threads.end());
}

void PageRun::choose_kept() {
  kept_.assign(trace_.rows.size(), false);
  for (const Shown& shown : folded(trace_))
    if (shown.row != nullptr)
      kept_[static_cast<std::size_t>(shown.row - trace_.rows.data())] = true;
  const auto routine = std::ranges::count_if(trace_.rows, &Row::routine);
  if (static_cast<std::size_t>(routine) > most_routine) return;
  for (std::size_t k = 0; k < trace_.end; ++k)
    if (trace_.rows[k].routine && !trace_.rows[k].library) kept_[k] = true;
}

void PageRun::collect_files_and_stacks() {
  std::map<std::string, std::size_t> known;
  stack_of_.resize(trace_.rows.size());
  for (std::size_t k = first_; k < trace_.rows.size(); ++k) {
    const Row& row = trace_.rows[k];
    if (row.place.is_known()) {
      const auto [at, fresh] = file_of_.try_emplace(row.place.file, files_.size());
      if (fresh) files_.push_back({row.place.file, row.source, {}});
      files_[at->second].lines.push_back(row.place.line);
    }
    if (row.stack.empty()) continue;
    const auto [at, fresh] = known.try_emplace(key_of(row.stack), stacks_.size());
    if (fresh) stacks_.push_back(&row.stack);
    stack_of_[k] = at->second;
  }
}

std::size_t PageRun::column_of(unsigned thread) const {
  const auto at = std::ranges::find(threads_, thread) - threads_.begin();
  return std::min(static_cast<std::size_t>(at), most_columns - 1);
}

std::string PageRun::thread_name(unsigned thread) const {
  const std::string name = thread < trace_.threads.size() ? trace_.threads[thread] : "";
  return fmt::format("thread {}{}", thread, name.empty() ? "" : " (" + name + ")");
}

std::string PageRun::link_to(std::size_t row) const {
  const std::size_t number = trace_.rows[row].number;
  const std::string text = number == 0 ? "there" : fmt::format("step {}", number);
  return is_wanted(row) ? fmt::format("<a href=\"#{}-s{}\">{}</a>", id_, row, text) : text;
}

std::string PageRun::link_to(const Place& place) const {
  if (!place.is_known()) return "";
  const std::string text =
      escaped(fmt::format("{}:{}", cut(base_name(place.file), longest_source), place.line));
  const auto file = file_of_.find(place.file);
  if (file == file_of_.end()) return fmt::format("<span class=\"loc\">{}</span>", text);
  const std::vector<unsigned>& lines = files_[file->second].lines;
  if (std::ranges::find(lines, place.line) == lines.end() ||
      place.line > sources_.lines(files_[file->second].path).size())
    return fmt::format("<span class=\"loc\">{}</span>", text);
  return fmt::format("<a class=\"loc\" href=\"#{}-f{}-{}\">{}</a>", id_, file->second, place.line,
                     text);
}

std::string PageRun::notes_of(std::size_t row) const {
  std::string out;
  const std::string origin = origin_text(trace_.rows[row]);
  for (const Link& link : links_[row]) {
    const std::string_view word = link.kind == Link::Kind::create  ? "created in"
                                  : link.kind == Link::Kind::waits ? "held since"
                                                                   : std::string_view(origin);
    out += fmt::format(" <span class=\"note {}\">{}{} {}</span>", name_of(link.kind),
                       word.data() == origin.data() ? escaped(origin) : word,
                       word.data() == origin.data() ? "," : "", link_to(link.row));
  }
  if (out.empty() && !origin.empty())
    out = fmt::format(" <span class=\"note\">{}</span>", escaped(origin));
  return out;
}

std::string PageRun::row_html(std::size_t k) const {
  const Row& row = trace_.rows[k];
  const std::string text = what(row);
  const bool is_long = text.size() > long_text;
  std::string out = fmt::format(
      "<li class=\"row c{} t{} {}{}{}\" id=\"{}-s{}\"><a class=\"no\" href=\"#{}-s{}\">{}</a>"
      "<span class=\"dot\"></span><div class=\"card\"><span class=\"who\">thread {}: </span>"
      "<span class=\"what{}>{}</span>{}",
      column_of(row.thread), row.thread % colours, class_of(row), kept_[k] ? "" : " extra",
      k >= trace_.end ? " later" : "", id_, k, id_, k,
      row.number == 0 ? (row.kind == Row::Kind::access ? "▶" : "✗") : std::to_string(row.number),
      row.thread, is_long ? " long\" role=\"group\" tabindex=\"0\"" : "\"", escaped(text),
      notes_of(k));
  const std::string place = link_to(row.place);
  if (!place.empty()) out += " " + place;
  const std::string source = trace_.rows.size() > most_rows_with_source || !row.place.is_known()
                                 ? ""
                                 : sources_.line(row.source, row.place.line);
  if (!source.empty())
    out += fmt::format(" <code class=\"src\">{}</code>", escaped(cut(source, longest_source)));
  if (stack_of_[k])
    out += fmt::format(" <a class=\"stk\" href=\"#{}-k{}\">stack</a>", id_, *stack_of_[k]);
  return out + "</div></li>\n";
}

std::string PageRun::gap_html(std::size_t begin, std::size_t end) const {
  const unsigned thread = trace_.rows[begin].thread;
  const bool one = std::all_of(trace_.rows.begin() + static_cast<std::ptrdiff_t>(begin),
                               trace_.rows.begin() + static_cast<std::ptrdiff_t>(end),
                               [&](const Row& row) { return row.thread == thread; });
  return fmt::format(
      "<li class=\"gap\"><button type=\"button\" data-from=\"{}\" data-to=\"{}\">… {} row{}{}{}"
      "</button></li>\n",
      begin - first_, end - first_, end - begin, end - begin == 1 ? "" : "s",
      one ? fmt::format(" of thread {}", thread) : "",
      begin >= trace_.end ? " after the finding" : "");
}

std::string PageRun::rows() const {
  std::string out = fmt::format("<ol class=\"rows{}\" tabindex=\"-1\">\n",
                                trace_.rows.size() > most_rows_with_source ? " many" : "");
  for (std::size_t k = first_; k < trace_.rows.size(); ++k) {
    const bool begins = !kept_[k] && (k == first_ || kept_[k - 1] || k == trace_.end);
    if (begins) {
      std::size_t end = k + 1;
      while (end < trace_.rows.size() && !kept_[end] && end != trace_.end) ++end;
      out += gap_html(k, end);
    }
    out += row_html(k);
  }
  return out + "</ol>\n";
}

std::string PageRun::heads() const {
  std::string out = "<div class=\"heads\">";
  for (const unsigned thread : threads_)
    out += fmt::format(
        "<label class=\"head c{} t{}\"><input type=\"checkbox\" checked data-thread=\"{}\"> "
        "<span>{}</span></label>",
        column_of(thread), thread % colours, thread, escaped(cut(thread_name(thread), 60)));
  return out + "</div>\n";
}

std::string PageRun::tools() const {
  return fmt::format(
      "<div class=\"tools js\"><label>object <select class=\"by-object\"><option value=\"\">all"
      "</option></select></label> <label>kind <select class=\"by-kind\"><option value=\"\">all"
      "</option></select></label> <label><input type=\"checkbox\" class=\"fold\" checked> fold"
      "</label></div>\n<div class=\"scrub js\"><button type=\"button\" class=\"previous\" "
      "aria-label=\"previous row\">‹</button><input type=\"range\" min=\"0\" max=\"{}\" value=\"0\""
      " aria-label=\"row of the run\"><button type=\"button\" class=\"next\" aria-label=\"next "
      "row\">›</button><output></output></div>\n",
      trace_.rows.empty() ? 0 : trace_.rows.size() - 1 - first_);
}

std::string PageRun::stacks() const {
  if (stacks_.empty()) return "";
  std::string out = "<details class=\"stacks\"><summary>Stacks of the steps</summary>\n";
  for (std::size_t k = 0; k < stacks_.size(); ++k)
    out += fmt::format("<div id=\"{}-k{}\"><h4>stack {}</h4>{}</div>\n", id_, k, k + 1,
                       stack_html(*stacks_[k]));
  return out + "</details>\n";
}

std::string PageRun::html() const {
  std::string out = fmt::format("<section class=\"trace n{}\"><h3 id=\"{}-run\">The run</h3>\n",
                                std::min(threads_.size(), most_columns), id_);
  if (first_ != 0)
    out += fmt::format("<p class=\"left-out\">{} earlier rows are not on this page.</p>\n", first_);
  out += tools() + heads() + "<div class=\"board\"><div class=\"lanes\" aria-hidden=\"true\">";
  for (const unsigned thread : threads_)
    out += fmt::format("<span class=\"lane c{} t{}\"></span>", column_of(thread), thread % colours);
  out += "</div><svg class=\"arrows\" aria-hidden=\"true\"></svg>\n" + rows() + "</div>\n";
  return out +
         "<p class=\"legend js\"><span class=\"reads\">reads from</span> <span "
         "class=\"lock\">lock, "
         "wake-up</span> <span class=\"create\">create, join</span> <span class=\"waits\">waits "
         "for</span> <span class=\"race\">data race</span></p>\n" +
         stacks() + "</section>\n";
}

}  // namespace heddle::report
