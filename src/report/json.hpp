// Results as JSON, for tools. docs/json-schema.json describes what each command prints.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>

#include "core/forecast.hpp"
#include "report/kinds.hpp"
#include "report/subject.hpp"

namespace heddle::report {

using Json = nlohmann::ordered_json;

// The version of the schema: changed when something is removed, or changes its meaning.
inline constexpr int json_schema = 1;

// The beginning of every result.
Json json_of(std::string_view command);

// `failure_files` has the file that each finding was written to, empty if that failed; `checkpoint`
// is the checkpoint file, empty if there is none; `total` is the estimated number of runs in all,
// if the exploration was stopped and there is an estimate.
Json to_json(const Subject& subject, const native::Report& report,
             const std::vector<std::string>& failure_files, const std::string& checkpoint,
             const std::optional<Forecast::Range>& total);
// One run, with all of its steps.
Json to_json(const Subject& subject, const native::Replay& run);
Json to_json(const native::Outcomes& outcomes);
Json to_json(std::span<const Kind> kinds);

// As text; bytes that are not UTF-8 are replaced.
std::string text_of(const Json& json);
// Prints to stdout.
void print(const Json& json);

}  // namespace heddle::report
