#include "report/page_stacks.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "report/markup.hpp"

namespace heddle::report {
namespace {

using findings::Place;

std::string base_name(const std::string& file) {
  return std::filesystem::path(file).filename().string();
}

// Where it has no line, the library says most.
std::string where(const Place& frame) {
  return frame.is_known() ? fmt::format("{}:{}", base_name(frame.file), frame.line)
                          : base_name(frame.module.empty() ? frame.file : frame.module);
}

bool is_of_system(const Place& frame) {
  return !frame.is_known() || findings::is_system(frame.file);
}

}  // namespace

std::string key_of(const std::vector<Place>& stack) {
  std::string out;
  for (const Place& frame : stack)
    out += fmt::format("{}\n{}\n{}\n", frame.function, frame.file, frame.line);
  return out;
}

std::string stack_html(const std::vector<Place>& stack) {
  std::string out = "<ol class=\"frames\">";
  for (const Place& frame : stack)
    out +=
        fmt::format("<li{}><code>{}</code> <span class=\"loc\">{}</span></li>",
                    is_of_system(frame) ? " class=\"system\"" : "",
                    escaped(frame.function.empty() ? "?" : frame.function), escaped(where(frame)));
  return out + "</ol>";
}

Json stack_data(const std::vector<Place>& stack) {
  Json out = Json::array();
  for (const Place& frame : stack)
    out.push_back(Json::array({visible(frame.function.empty() ? "?" : frame.function),
                               visible(where(frame)), is_of_system(frame) ? 1 : 0}));
  return out;
}

}  // namespace heddle::report
