#include "report/json.hpp"

#include <fmt/format.h>

#include "base/resources.hpp"

namespace heddle::report {
namespace {

Json to_json(const native::Finding& f) {
  return {{"kind", f.kind_name()}, {"message", f.message}, {"file", f.place.file},
          {"line", f.place.line},  {"thread", f.thread},   {"schedule", f.replay_text()}};
}

}  // namespace

Json json_of(std::string_view command) { return {{"schema", json_schema}, {"command", command}}; }

Json to_json(const Subject& subject, const native::Report& report) {
  Json out = json_of(subject.command);
  out["program"] = subject.program;
  out["arguments"] = subject.arguments;
  out["algorithm"] = subject.algorithm;
  out["verdict"] = report.verdict();
  out["complete"] = report.complete;
  out["executions"] = report.counts.executions;
  out["blocked"] = report.counts.blocked;
  out["merged"] = report.counts.merged;
  out["events"] = report.counts.transitions;
  out["findings"] = Json::array();
  for (const native::Finding& f : report.findings) out["findings"].push_back(to_json(f));
  out["warnings"] = report.warnings;
  out["limits"] = report.limits;
  out["seconds"] = report.seconds;
  out["peak_rss_kb"] = peak_rss_kb();
  return out;
}

Json to_json(std::span<const Kind> kinds) {
  Json out = json_of("explain");
  out["topics"] = Json::array();
  for (const Kind& k : kinds)
    out["topics"].push_back({{"name", k.name},
                             {"sort", name_of(k.sort)},
                             {"summary", k.summary},
                             {"meaning", k.meaning},
                             {"causes", k.causes},
                             {"example", k.example},
                             {"fix", k.fix}});
  return out;
}

std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void print(const Json& json) { fmt::print("{}", text_of(json)); }

}  // namespace heddle::report
