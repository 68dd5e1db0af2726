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

// Of the schema: to be changed when something that was there is no more, or means something else.
inline constexpr int json_schema = 1;

// What every result begins with.
Json json_of(std::string_view command);

// `failure_files` has the one that each finding was written to, empty where it could not be;
// `checkpoint` is where what is left to do goes, empty if nowhere; `total` is how many runs there
// are in all, if it was stopped and that can be told.
Json to_json(const Subject& subject, const native::Report& report,
             const std::vector<std::string>& failure_files, const std::string& checkpoint,
             const std::optional<Forecast::Range>& total);
// One run, with all of its steps.
Json to_json(const Subject& subject, const native::Replay& run);
Json to_json(std::span<const Kind> kinds);

// As text; what is not UTF-8 is replaced.
std::string text_of(const Json& json);
// To stdout.
void print(const Json& json);

}  // namespace heddle::report
