#include "report/junit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "report/json.hpp"
#include "report/text.hpp"

namespace heddle::report {
namespace {

// Replaces what is not UTF-8.
std::string clean(const std::string& text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace))
      .get<std::string>();
}

enum class Within : bool { text, attribute };

// For XML, which has no way to write most control characters.
std::string escaped(const std::string& text, Within within) {
  std::string out;
  for (const char c : clean(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\t':
      case '\n':
        out += within == Within::text ? std::string(1, c) : fmt::format("&#{};", int{c});
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return out;
}

std::string problem(std::string_view element, std::string_view type, const std::string& message,
                    const std::string& text) {
  return fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", element, type,
                     escaped(message, Within::attribute), escaped(text, Within::text));
}

struct Problems {
  std::string text;
  bool failure = false, error = false;
};

Problems problems_of(const Subject& subject, const native::Report& report) {
  Problems out;
  if (!subject.expected.empty()) {
    out.failure = !meets_expectation(subject, report);
    if (out.failure)
      out.text =
          problem("failure", "expectation",
                  fmt::format("expected: {}, but it is: {}", subject.expected, report.verdict()),
                  verdict_line(subject, report));
    return out;
  }
  out.failure = std::string_view(report.verdict()) == "finding";
  const bool vacuous = report.is_vacuous();
  out.error = vacuous || std::string_view(report.verdict()) == "incomplete";
  for (const findings::Finding& f : report.findings)
    out.text += problem(out.failure ? "failure" : "error", f.kind_name(), f.message,
                        text_of(f, Style{.width = 120}) + "  schedule: " + f.replay_text() + "\n");
  if (out.error && report.findings.empty())
    out.text = problem("error", report.verdict(),
                       vacuous ? "no run was complete, so nothing was checked"
                               : "a limit was reached before all was explored",
                       verdict_line(subject, report));
  return out;
}

std::string output_of(const Subject& subject, const native::Report& report) {
  std::string out = verdict_line(subject, report) + "\n";
  if (report.findings.empty()) out += fmt::format("  {}\n", fmt::join(report.limits, "\n  "));
  for (const std::string& w : report.warnings) out += "warning: " + w + "\n";
  return out;
}

}  // namespace

std::string to_junit(const Subject& subject, const native::Report& report) {
  const Problems problems = problems_of(subject, report);
  const std::string name =
      fmt::format("{}{}{}", subject.program, subject.arguments.empty() ? "" : " ",
                  fmt::join(subject.arguments, " "));
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites>\n"
      "  <testsuite name=\"heddle\" tests=\"1\" failures=\"{}\" errors=\"{}\" skipped=\"0\" "
      "time=\"{:.3f}\">\n"
      "    <testcase classname=\"heddle.{}\" name=\"{}\" time=\"{:.3f}\">\n"
      "{}"
      "      <system-out>{}</system-out>\n"
      "    </testcase>\n"
      "  </testsuite>\n"
      "</testsuites>\n",
      problems.failure ? 1 : 0, problems.error ? 1 : 0, report.seconds, subject.command,
      escaped(name, Within::attribute), report.seconds, problems.text,
      escaped(output_of(subject, report), Within::text));
}

}  // namespace heddle::report
