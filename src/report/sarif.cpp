#include "report/sarif.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/version.hpp"
#include "findings/phrases.hpp"

namespace heddle::report {
namespace {

using findings::Finding;
using findings::Place;

constexpr std::string_view source_root = "SRCROOT";

Json message(std::string_view text) { return {{"text", text}}; }

// Characters that cannot be part of a path in a URI are written as %XX.
std::string encoded(const std::string& path) {
  std::string out;
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                       std::string_view("/-._~+").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

Json file(const std::string& path) {
  if (path.starts_with("/")) return {{"uri", "file://" + encoded(path)}};
  return {{"uri", encoded(std::filesystem::path(path).lexically_normal().string())},
          {"uriBaseId", source_root}};
}

Json location(const Place& place) {
  Json physical = {{"artifactLocation", file(place.file)}};
  if (place.line != 0) physical["region"] = {{"startLine", place.line}};
  if (place.column != 0) physical["region"]["startColumn"] = place.column;
  Json out = {{"physicalLocation", physical}};
  if (!place.function.empty())
    out["logicalLocations"] = Json::array({{{"name", place.function}, {"kind", "function"}}});
  return out;
}

bool is_known(const Place& place) { return !place.file.empty() && place.file != "?"; }

Json rules() {
  Json out = Json::array();
  for (const Kind& k : kinds()) {
    if (k.sort != Kind::Sort::finding) continue;
    out.push_back({{"id", k.name},
                   {"shortDescription", message(k.summary)},
                   {"fullDescription", message(k.meaning)},
                   {"help", message(fmt::format("{}\n\nWhat usually causes it: {}\n\nExample:\n\n{}"
                                                "\n\nHow to fix it: {}",
                                                k.meaning, k.causes, k.example, k.fix))}});
  }
  return out;
}

Json stack_of(const findings::Stack& stack) {
  Json frames = Json::array();
  for (const Place& frame : stack.frames)
    if (is_known(frame)) frames.push_back({{"location", location(frame)}});
  return {{"message", message(title_of(stack))}, {"frames", frames}};
}

Json result(const Finding& f) {
  const bool endless = f.kind == abi::Finding::endless;
  Json out = {{"ruleId", f.kind_name()},
              {"ruleIndex", static_cast<std::size_t>(f.kind) - 1},
              {"level", endless ? "warning" : "error"},
              {"message", message(f.message)},
              {"locations", Json::array()}};
  if (is_known(f.place)) out["locations"].push_back(location(f.place));
  if (!f.stacks.empty()) out["stacks"] = Json::array();
  for (const findings::Stack& stack : f.stacks) out["stacks"].push_back(stack_of(stack));
  out["properties"] = {{"thread", f.thread}, {"schedule", f.replay_text()}};
  return out;
}

Json notifications(const Subject& subject, const native::Report& report) {
  Json out = Json::array();
  const auto note = [&](const char* level, std::string_view text) {
    out.push_back({{"level", level}, {"message", message(text)}});
  };
  const std::string_view verdict = report.verdict();
  const bool open = verdict == "incomplete" || verdict == "vacuous";
  note(open ? "warning" : "note", verdict_line(subject, report));
  for (const std::string& w : report.warnings) note("warning", w);
  if (report.findings.empty())
    for (const std::string& l : report.limits) note("note", l);
  return out;
}

}  // namespace

Json to_sarif(const Subject& subject, const native::Report& report) {
  Json run;
  run["tool"]["driver"] = {{"name", "heddle"}, {"version", version}, {"rules", rules()}};
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  if (!error)
    run["originalUriBaseIds"] = {
        {source_root, {{"uri", "file://" + encoded((here / "").string())}}}};
  Json invocation = {{"executionSuccessful", true}};
  invocation["toolExecutionNotifications"] = notifications(subject, report);
  run["invocations"] = Json::array({invocation});
  run["results"] = Json::array();
  for (const Finding& f : report.findings) run["results"].push_back(result(f));
  run["columnKind"] = "unicodeCodePoints";
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array({run})}};
}

}  // namespace heddle::report
