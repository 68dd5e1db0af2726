#include "report/json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/resources.hpp"

namespace heddle::report {
namespace {

Json to_json(const native::Finding& f) {
  return {{"kind", f.kind_name()}, {"message", f.message}, {"file", f.place.file},
          {"line", f.place.line},  {"thread", f.thread},   {"schedule", f.replay_text()}};
}

// In the order of native::Row::Kind.
constexpr const char* row_kinds[] = {"step", "access", "waits", "finding"};

Json to_json(const native::Place& place) {
  return {{"file", place.file}, {"line", place.line}, {"function", place.function}};
}

Json to_json(const native::Row& row) {
  Json out = {{"kind", row_kinds[static_cast<std::size_t>(row.kind)]},
              {"number", row.number == 0 ? Json() : Json(row.number)},
              {"thread", row.thread},
              {"what", row.what},
              {"with", row.with},
              {"file", row.place.file},
              {"line", row.place.line},
              {"stack", Json::array()}};
  for (const native::Place& frame : row.stack) out["stack"].push_back(to_json(frame));
  return out;
}

Json to_json(const native::Outcomes& outcomes) {
  Json out = Json::array();
  for (const auto& [outcome, runs] : outcomes)
    out.push_back(
        {{"value", outcome.value ? Json(*outcome.value) : Json()},
         {"finding",
          outcome.finding == abi::Finding::none ? Json() : Json(abi::name_of(outcome.finding))},
         {"runs", runs}});
  return out;
}

// It was told before the last of those that are done.
Json to_json(const Forecast::Range& total, std::uint64_t done) {
  const auto least = std::max(static_cast<std::uint64_t>(total.low), done);
  return {{"least", least}, {"most", std::max(static_cast<std::uint64_t>(total.high), least)}};
}

// What all results about a compiled program have.
Json json_of(const Subject& subject) {
  Json out = report::json_of(subject.command);
  out["program"] = subject.program;
  out["arguments"] = subject.arguments;
  return out;
}

}  // namespace

Json json_of(std::string_view command) { return {{"schema", json_schema}, {"command", command}}; }

Json to_json(const Subject& subject, const native::Report& report,
             const std::vector<std::string>& failure_files, const std::string& checkpoint,
             const std::optional<Forecast::Range>& total) {
  Json out = json_of(subject);
  out["algorithm"] = subject.algorithm;
  out["verdict"] = report.verdict();
  out["complete"] = report.complete;
  out["executions"] = report.counts.executions;
  out["blocked"] = report.counts.blocked;
  out["merged"] = report.counts.merged;
  out["events"] = report.counts.transitions;
  out["findings"] = Json::array();
  for (std::size_t k = 0; k < report.findings.size(); ++k) {
    Json finding = to_json(report.findings[k]);
    finding["failure_file"] = failure_files[k].empty() ? Json() : Json(failure_files[k]);
    out["findings"].push_back(std::move(finding));
  }
  out["outcomes"] = to_json(report.outcomes);
  out["warnings"] = report.warnings;
  out["limits"] = report.limits;
  out["suppressed"] = Json::array();
  for (const native::Suppressed& by : report.suppressed)
    out["suppressed"].push_back({{"from", by.from}, {"pattern", by.pattern}, {"count", by.count}});
  out["seconds"] = report.seconds;
  out["peak_rss_kb"] = peak_rss_kb();
  if (!report.stopped.empty() && total)
    out["expected_runs"] = to_json(*total, report.counts.executions + report.counts.blocked);
  if (!checkpoint.empty()) out["checkpoint"] = checkpoint;
  return out;
}

Json to_json(const Subject& subject, const native::Replay& run) {
  Json out = json_of(subject);
  out["finding"] = run.findings.empty() ? Json() : to_json(run.findings[0]);
  out["scheduled"] = run.scheduled;
  out["threads"] = run.trace.threads;
  out["blocks"] = run.trace.blocks;
  out["rows"] = Json::array();
  for (const native::Row& row : run.trace.rows) out["rows"].push_back(to_json(row));
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
