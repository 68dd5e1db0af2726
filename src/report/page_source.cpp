#include "report/page_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/markup.hpp"

namespace heddle::report {
namespace {

// A file of more lines is not shown whole, but only this near to lines that rows name.
constexpr std::size_t most_lines = 1000, near = 100;

std::vector<bool> shown_lines(const PageRun::File& file, std::size_t lines) {
  std::vector<bool> out(lines, lines <= most_lines);
  if (lines <= most_lines) return out;
  for (const std::size_t line : file.lines)
    for (std::size_t k = line > near ? line - near : 1; k <= std::min(line + near, lines); ++k)
      out[k - 1] = true;
  return out;
}

std::string line_html(const std::string& id, std::size_t number, const std::string& text,
                      bool named) {
  const std::string_view all = text;
  const std::string_view shown = all.substr(0, all.find_last_not_of('\r') + 1);
  return fmt::format(
      "<li id=\"{0}-{1}\"{2}><span class=\"ln\">{1}</span><span class=\"at\"></span><code>{3}"
      "</code></li>\n",
      id, number, named ? " class=\"named\"" : "", escaped(shown));
}

std::string file_html(const PageRun& run, std::size_t number, const PageRun::File& file,
                      const std::vector<std::string>& lines) {
  const std::string id = fmt::format("{}-f{}", run.id(), number);
  const std::vector<bool> shown = shown_lines(file, lines.size());
  std::vector<bool> named(lines.size());
  for (const unsigned line : file.lines)
    if (line <= lines.size()) named[line - 1] = true;
  std::string out = fmt::format(
      "<section class=\"file\" id=\"{}\"><h4>{}</h4>"
      "<div class=\"code\" tabindex=\"0\"><ol>\n",
      id, escaped(file.name));
  bool skipping = false;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (shown[k])
      out += line_html(id, k + 1, lines[k], named[k]);
    else if (!skipping)
      out += "<li class=\"skip\">…</li>\n";
    skipping = !shown[k];
  }
  return out + "</ol></div></section>\n";
}

}  // namespace

std::string source_html(const PageRun& run, Sources& sources) {
  std::string files;
  for (std::size_t k = 0; k < run.files().size(); ++k) {
    const PageRun::File& file = run.files()[k];
    const std::vector<std::string>& lines = sources.lines(file.path);
    if (!lines.empty()) files += file_html(run, k, file, lines);
  }
  if (files.empty()) return "";
  return "<section class=\"source\"><h3>Source</h3>\n" + files + "</section>\n";
}

}  // namespace heddle::report
