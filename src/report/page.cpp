#include "report/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/version.hpp"
#include "report/kinds.hpp"
#include "report/markup.hpp"
#include "report/page_drawing.hpp"
#include "report/page_files.hpp"
#include "report/page_finding.hpp"

namespace heddle::report {
namespace {

std::string base_name(const std::string& file) {
  return std::filesystem::path(file).filename().string();
}

// The whole page. Nothing but what is in it may be loaded, nor any other script or style run.
std::string page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'{}'; script-src '{}'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n"
      "<style>{}</style>\n</head>\n<body>\n{}"
      "<footer><p>heddle {}</p></footer>\n<script>{}</script>\n</body>\n</html>\n",
      page_style.hash, page_script.hash, escaped(title), page_style.text, body, version,
      page_script.text);
}

std::string fact(std::string_view name, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, escaped(value));
}

std::string list_html(const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string out = fmt::format("<h3>{}</h3>\n<ul>", title);
  for (const std::string& line : lines) out += fmt::format("<li>{}</li>", escaped(line));
  return out + "</ul>\n";
}

std::string heading(const Subject& subject, std::string_view verdict, const std::string& line) {
  const bool good = verdict == "verified";
  const bool wrong = verdict == "finding";
  std::string arguments = fmt::format("{}", fmt::join(subject.arguments, " "));
  return fmt::format(
      "<header class=\"head\"><h1>{}{}{}</h1><p class=\"badge {}\">{} {}</p><p class=\"line\">{}"
      "</p></header>\n",
      escaped(base_name(subject.program)), arguments.empty() ? "" : " ", escaped(arguments),
      good    ? "good"
      : wrong ? "wrong"
              : "open",
      good    ? "✓"
      : wrong ? "✗"
              : "?",
      verdict, escaped(line));
}

std::string facts_of(const Subject& subject, const native::Report& report,
                     const PageContext& context) {
  const Counts& counts = report.counts;
  const auto runs = static_cast<double>(counts.executions + counts.blocked);
  std::string out = "<dl class=\"facts\">" +
                    fact("executions", fmt::format("{}", counts.executions)) +
                    fact("blocked", fmt::format("{}", counts.blocked));
  if (counts.states != 0)
    out += fact("merged", fmt::format("{}", counts.merged)) +
           fact("states", fmt::format("{}", counts.states)) +
           fact("edges", fmt::format("{}", counts.edges));
  out += fact("events", fmt::format("{}", counts.events)) +
         fact("time", fmt::format("{:.3f} s", report.seconds));
  if (report.seconds > 0)
    out += fact("runs per second", fmt::format("{:.0f}", runs / report.seconds));
  if (report.restarts != 0)
    out += fact("started over, as something was learned", fmt::format("{}", report.restarts));
  out +=
      fact("algorithm", subject.algorithm) +
      fact("options", context.options.empty() ? "the defaults"
                                              : fmt::format("{}", fmt::join(context.options, " ")));
  if (!subject.expected.empty()) out += fact("expected", subject.expected);
  return out + "</dl>\n";
}

std::string outcomes_of(const native::Report& report) {
  // That all runs end the same, without a value, says nothing.
  if (report.outcomes.empty() ||
      (report.outcomes.size() == 1 && !report.outcomes.begin()->first.value))
    return "";
  std::string out =
      "<h3>Outcomes</h3>\n<table><thead><tr><th scope=\"col\">runs</th><th scope=\"col\">value</th>"
      "<th scope=\"col\">finding</th></tr></thead><tbody>";
  for (const auto& [outcome, runs] : report.outcomes)
    out +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>", runs,
                    outcome.value ? fmt::format("{}", *outcome.value) : "none",
                    outcome.finding == abi::Finding::none ? "none" : abi::name_of(outcome.finding));
  return out + "</tbody></table>\n";
}

// What the verdict says, and what it does not.
std::string meaning_of(const native::Report& report) {
  const std::string_view verdict = report.verdict();
  if (verdict == "verified")
    return "Every schedule that matters was run, and none has a finding, within the limits below.";
  if (verdict == "vacuous") return "No run was complete, so nothing was checked.";
  if (verdict == "incomplete")
    return report.stopped.empty()
               ? "Not all was explored: some runs were cut off, and may have findings."
               : fmt::format(
                     "The exploration stopped before its end ({}): what was not run may "
                     "have findings.",
                     report.stopped);
  return report.complete ? "All was explored: these are all the findings."
                         : "The exploration stopped at a finding: there may be others, which "
                           "--keep-going shows.";
}

std::string exploration_html(const Subject& subject, const native::Report& report,
                             const PageContext& context) {
  std::vector<std::string> suppressed;
  for (const native::Suppressed& by : report.suppressed)
    suppressed.push_back(fmt::format("{} by {} ({})", by.count, by.pattern, by.from));
  return "<section class=\"exploration\" id=\"exploration\" "
         "aria-labelledby=\"exploration-title\">\n"
         "<h2 id=\"exploration-title\">What was explored</h2>\n<p>" +
         escaped(meaning_of(report)) + "</p>\n" + facts_of(subject, report, context) +
         drawing_of(context.progress) + outcomes_of(report) +
         list_html("Limits of the verdict", report.limits) +
         list_html("Warnings", report.warnings) +
         list_html("Data races that were suppressed", suppressed) + "</section>\n";
}

std::string contents_of(const native::Report& report) {
  if (report.findings.size() < 2) return "";
  std::string out = "<nav aria-label=\"results\"><ul>";
  for (std::size_t k = 0; k < report.findings.size(); ++k)
    out += fmt::format("<li><a href=\"#r{}\">{}. {}</a></li>", k + 1, k + 1,
                       escaped(report.findings[k].kind_name()));
  return out + "<li><a href=\"#exploration\">what was explored</a></li></ul></nav>\n";
}

std::string title_of(const Subject& subject, std::string_view verdict) {
  return fmt::format("{}: {}", base_name(subject.program), verdict);
}

std::string command_at(const PageContext& context, std::size_t k) {
  return k < context.replay.size() ? context.replay[k] : "";
}

}  // namespace

std::string to_html(const Subject& subject, const native::Report& report,
                    const PageContext& context) {
  Sources sources;
  const std::string exploration = exploration_html(subject, report, context);
  std::string body = heading(subject, report.verdict(), verdict_line(subject, report)) +
                     contents_of(report) + "<main>\n";
  // Without a finding, what was explored is what the page is about.
  if (report.findings.empty()) body += exploration;
  for (std::size_t k = 0; k < report.findings.size(); ++k)
    body += finding_html(k + 1, report.findings[k], command_at(context, k), sources);
  if (!report.findings.empty()) body += exploration;
  return page(title_of(subject, report.verdict()), body + "</main>\n");
}

std::string to_html(const Subject& subject, const native::Replay& run, const PageContext& context) {
  Sources sources;
  const bool found = !run.findings.empty();
  std::string body = heading(subject, found ? "finding" : "nothing found",
                             fmt::format("one run, by a schedule of {} steps", run.scheduled)) +
                     "<main>\n";
  body += found ? finding_html(1, run.findings[0], command_at(context, 0), sources)
                : run_html(run.trace, sources);
  if (!context.options.empty())
    body += list_html("Options", {fmt::format("{}", fmt::join(context.options, " "))});
  return page(title_of(subject, found ? run.findings[0].kind_name() : "nothing found"),
              body + "</main>\n");
}

}  // namespace heddle::report
