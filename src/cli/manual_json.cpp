// The tables of commands and options, for tools.
#include "base/version.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"

namespace heddle::cli {
namespace {

using report::Json;

Json to_json(const Option& option) {
  Json out = {{"name", option.long_name()}, {"short", nullptr},   {"value", nullptr},
              {"default", nullptr},         {"choices", nullptr}, {"help", option.help}};
  if (option.long_name() != option.name)
    out["short"] = option.name.substr(0, option.name.find(','));
  if (!option.value.empty()) out["value"] = option.value;
  if (const std::string value = option.default_text(); !value.empty()) out["default"] = value;
  if (option.choices) out["choices"] = option.choices();
  return out;
}

Json to_json(const Command& command) {
  Json out = {{"name", command.name},       {"operands", command.operands},
              {"summary", command.summary}, {"description", command.description},
              {"options", Json::array()},   {"examples", Json::array()}};
  if (command.words != Words::verbatim)
    for (const Option* option : options_of(command.name))
      out["options"].push_back(to_json(*option));
  for (const Example& e : command.examples)
    out["examples"].push_back({{"command", e.command}, {"what", e.what}});
  return out;
}

}  // namespace

Json json_manual(std::span<const Command> which) {
  Json out = report::json_of("help");
  out["version"] = version;
  out["commands"] = Json::array();
  for (const Command& command : which) out["commands"].push_back(to_json(command));
  out["exit_statuses"] = Json::array();
  for (const ExitStatus& e : exit_statuses)
    out["exit_statuses"].push_back({{"status", e.status}, {"meaning", e.meaning}});
  return out;
}

}  // namespace heddle::cli
