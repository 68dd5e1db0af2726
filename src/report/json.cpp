#include "report/json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/resources.hpp"
#include "findings/phrases.hpp"

namespace heddle::report {
namespace {

// In the order of findings::Row::Kind.
constexpr const char* row_kinds[] = {"step", "access", "waits", "finding"};
static_assert(std::size(row_kinds) == static_cast<std::size_t>(findings::Row::Kind::finding) + 1);
static_assert(static_cast<int>(findings::Row::Kind::step) == 0 &&
              static_cast<int>(findings::Row::Kind::access) == 1 &&
              static_cast<int>(findings::Row::Kind::waits) == 2);

// The number of rows of a finding's trace that are printed, the last ones: at about a kilobyte
// each, a run that is cut off after a hundred thousand steps would take a hundred megabytes.
constexpr std::size_t most_rows = 2000;

Json to_json(const findings::Place& place) {
  return {{"file", place.file},
          {"line", place.line},
          {"column", place.column},
          {"function", place.function}};
}

Json to_json(const findings::Object& object) {
  return {{"name", object.name},
          {"kind", findings::name_of(object.kind)},
          {"address", object.address == 0 ? Json() : Json(fmt::format("{:#x}", object.address))},
          {"size", object.size == 0 ? Json() : Json(object.size)}};
}

Json to_json(const std::optional<findings::Value>& value) {
  return value ? Json(value->text) : Json();
}

Json to_json(const findings::Action& action) {
  return {{"verb", name_of(action.verb)},
          {"object", to_json(action.object)},
          {"before", to_json(action.before)},
          {"after", to_json(action.after)}};
}

Json to_json(const findings::Origin& origin) {
  constexpr const char* relations[] = {"none", "from", "after", "races"};
  if (origin.relation == findings::Origin::Relation::none) return {};
  return {{"relation", relations[static_cast<std::size_t>(origin.relation)]},
          {"threads", origin.threads},
          {"step", origin.step == 0 ? Json() : Json(origin.step)}};
}

Json to_json(const findings::Row& row) {
  Json out = {{"kind", row_kinds[static_cast<std::size_t>(row.kind)]},
              {"number", row.number == 0 ? Json() : Json(row.number)},
              {"thread", row.thread},
              {"what", what(row)},
              {"with", origin_text(row)},
              {"file", row.place.file},
              {"line", row.place.line}};
  const bool does = row.kind != findings::Row::Kind::finding;
  out["verb"] = does ? Json(name_of(row.verb)) : Json();
  out["actions"] = Json::array();
  for (const findings::Action& action : row.actions) out["actions"].push_back(to_json(action));
  out["from"] = to_json(row.origin);
  out["held_by"] = Json::array();
  for (const findings::Holder& h : row.holders)
    out["held_by"].push_back({{"thread", h.thread}, {"step", h.step}, {"since", to_json(h.since)}});
  out["place"] = to_json(row.place);
  out["stack"] = Json::array();
  for (const findings::Place& frame : row.stack) out["stack"].push_back(to_json(frame));
  return out;
}

// All rows except the first `left_out`.
void add_trace(Json& to, const findings::Trace& trace, std::size_t left_out, std::size_t end) {
  to["threads"] = trace.threads;
  to["blocks"] = Json::array();
  for (const findings::Block& b : trace.blocks) to["blocks"].push_back(text_of(b));
  to["rows"] = Json::array();
  for (std::size_t k = left_out; k < end; ++k) to["rows"].push_back(to_json(trace.rows[k]));
}

Json to_json(const findings::Finding& f) {
  return {{"kind", f.kind_name()}, {"message", f.message},       {"file", f.place.file},
          {"line", f.place.line},  {"column", f.place.column},   {"function", f.place.function},
          {"thread", f.thread},    {"schedule", f.replay_text()}};
}

// Up to the finding.
Json trace_json(const findings::Trace& trace) {
  const std::size_t left_out = trace.end > most_rows ? trace.end - most_rows : 0;
  Json out = {{"left_out", left_out}};
  add_trace(out, trace, left_out, trace.end);
  return out;
}

// The estimate may be older than the latest runs: it is at least as many as are done.
Json to_json(const Forecast::Range& total, std::uint64_t done) {
  const auto least = std::max(static_cast<std::uint64_t>(total.low), done);
  return {{"least", least}, {"most", std::max(static_cast<std::uint64_t>(total.high), least)}};
}

// The part that all results about a compiled program have.
Json json_of(const Subject& subject) {
  Json out = report::json_of(subject.command);
  out["program"] = subject.program;
  out["arguments"] = subject.arguments;
  return out;
}

}  // namespace

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

Json json_of(std::string_view command) { return {{"schema", json_schema}, {"command", command}}; }

Json to_json(const Subject& subject, const native::Report& report,
             const std::vector<std::string>& failure_files, const std::string& checkpoint,
             const std::optional<Forecast::Range>& total) {
  Json out = json_of(subject);
  out["algorithm"] = subject.algorithm;
  if (subject.chose) out["chosen_by"] = "auto";
  out["verdict"] = report.verdict();
  out["complete"] = report.complete;
  out["executions"] = report.counts.executions;
  out["blocked"] = report.counts.blocked;
  out["merged"] = report.counts.merged;
  out["events"] = report.counts.events;
  if (report.counts.states != 0) {
    out["states"] = report.counts.states;
    out["edges"] = report.counts.edges;
    out["parts"] = std::max<std::uint64_t>(report.overhead.cubes, 1);
    if (!report.complete) out["open_states"] = report.open_states;
  }
  out["findings"] = Json::array();
  for (std::size_t k = 0; k < report.findings.size(); ++k) {
    Json finding = to_json(report.findings[k]);
    finding["trace"] = trace_json(report.findings[k].trace);
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
    out["expected_runs"] = to_json(*total, report.counts.runs());
  if (!checkpoint.empty()) out["checkpoint"] = checkpoint;
  return out;
}

Json to_json(const Subject& subject, const native::Replay& run) {
  Json out = json_of(subject);
  out["finding"] = run.findings.empty() ? Json() : to_json(run.findings[0]);
  out["scheduled"] = run.scheduled;
  add_trace(out, run.trace, 0, run.trace.rows.size());
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
