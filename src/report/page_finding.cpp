#include "report/page_finding.hpp"

#include <fmt/format.h>

#include "findings/phrases.hpp"
#include "report/kinds.hpp"
#include "report/markup.hpp"
#include "report/page_drawing.hpp"
#include "report/page_run.hpp"
#include "report/page_source.hpp"
#include "report/page_stacks.hpp"
#include "report/page_story.hpp"

namespace heddle::report {
namespace {

using findings::Finding;

constexpr std::size_t long_text = 300;

std::string explanation_of(std::string_view kind) {
  const Kind* const k = find_kind(kind);
  if (k == nullptr) return "";
  return fmt::format(
      "<details class=\"explain\"><summary>What {} means, and what helps</summary><p>{}</p>"
      "<p><b>What usually causes it.</b> {}</p><pre tabindex=\"0\">{}</pre><p><b>How to fix it.</b>"
      " {}</p></details>\n",
      escaped(kind), escaped(k->meaning), escaped(k->causes), escaped(k->example), escaped(k->fix));
}

std::string stacks_of(const Finding& f) {
  std::string out;
  for (const findings::Stack& stack : f.stacks)
    if (!stack.frames.empty())
      out += fmt::format("<h4>{}</h4>{}", escaped(title_of(stack)), stack_html(stack.frames));
  if (out.empty()) return "";
  return fmt::format(
      "<details class=\"explain\"><summary>Stacks at the finding</summary>{}</details>\n", out);
}

std::string blocks_of(const findings::Trace& trace) {
  std::string out;
  for (const findings::Block& block : trace.blocks)
    out += fmt::format("<li>{}{}</li>", escaped(text_of(block)), escaped(release_of(block)));
  return out.empty() ? "" : fmt::format("<ul class=\"blocks\">{}</ul>\n", out);
}

std::string side_html(const char* title, const findings::DataRace& race,
                      const findings::DataRace::Side& side, const PageRun& run) {
  return fmt::format(
      "<div class=\"side\"><h4>{}</h4><p><b>thread {}</b>: {}{} <code>{}</code></p><p>{}</p></div>",
      title, side.thread, side.atomic ? "atomic " : "", escaped(name_of(side.verb)),
      escaped(race.object), run.link_to(side.place));
}

std::string race_html(const Finding& f, const PageRun& run) {
  if (!f.race) return "";
  return fmt::format(
      "<div class=\"two\" role=\"group\" aria-label=\"the two accesses\">{}<div class=\"bolt\" "
      "aria-hidden=\"true\">⇄</div>{}</div>\n",
      side_html("earlier in this run", *f.race, f.race->previous, run),
      side_html("later in this run", *f.race, f.race->access, run));
}

std::string story_html(const Story& story) {
  if (story.sentences.empty()) return "";
  std::string out = "<h3>How it comes about</h3>\n<ol class=\"story\">";
  for (const std::string& sentence : story.sentences) out += fmt::format("<li>{}</li>", sentence);
  return out + "</ol>\n";
}

std::string work_html(const PageRun& run, Sources& sources) {
  if (run.trace().rows.empty()) return "";
  return fmt::format(
      "<div class=\"work\">\n{}<div class=\"aside\">\n{}<section class=\"state js\">"
      "<h3 class=\"at-row\">State</h3><div "
      "class=\"values\"></div><div class=\"threads\"></div></section>\n</div>\n</div>\n"
      "<script type=\"application/json\" class=\"data\">{}</script>\n",
      run.html(), source_html(run, sources), island(run.data()));
}

}  // namespace

std::string command_html(const std::string& title, const std::string& command) {
  if (command.empty()) return "";
  return fmt::format(
      "<div class=\"command\"><span>{}</span><code>{}</code><button type=\"button\" "
      "class=\"copy js\">copy</button></div>\n",
      title, escaped(command));
}

std::string finding_html(std::size_t number, const Finding& f, const std::string& replay,
                         Sources& sources) {
  const PageRun run(number, f.trace, sources);
  const Story story = story_of(f, run);
  const std::string place = run.link_to(f.place);
  std::string out = fmt::format(
      "<article class=\"result\" id=\"{0}\" aria-labelledby=\"{0}-title\">\n<div class=\"top\">\n"
      "<div class=\"first\"><p class=\"badge {1}\">{2} {3}</p>\n<h2 id=\"{0}-title\"{4}>{5}</h2>\n",
      run.id(), f.kind == abi::Finding::endless ? "open" : "wrong",
      f.kind == abi::Finding::endless ? "?" : "✗", escaped(f.kind_name()),
      story.title.size() > long_text ? " class=\"long\" tabindex=\"0\"" : "", escaped(story.title));
  if (!place.empty())
    out += fmt::format("<p class=\"place\">at {} in <code>{}</code>, thread {}</p>\n", place,
                       escaped(f.place.function), f.thread);
  const std::string commands =
      command_html("to replay", replay) +
      command_html("in gdb", replay.starts_with("heddle replay ") ? replay + " --gdb" : "");
  const std::string drawing =
      f.kind == abi::Finding::deadlock ? drawing_of(waits_of(f.trace), run.id()) : "";
  out += story_html(story) + race_html(f, run) + (drawing.empty() ? "" : commands) +
         "</div>\n<div class=\"second\">\n" + (drawing.empty() ? commands : drawing) +
         blocks_of(f.trace) + explanation_of(f.kind_name()) + stacks_of(f) +
         fmt::format(
             "<details class=\"explain\"><summary>Schedule</summary><p class=\"schedule\"><code>{}"
             "</code></p></details>\n</div>\n</div>\n",
             escaped(f.replay_text()));
  return out + work_html(run, sources) + "</article>\n";
}

std::string run_html(const findings::Trace& trace, Sources& sources) {
  const PageRun run(1, trace, sources);
  return fmt::format(
      "<article class=\"result\" id=\"{0}\" aria-labelledby=\"{0}-run\">\n{1}"
      "</article>\n",
      run.id(), work_html(run, sources));
}

}  // namespace heddle::report
