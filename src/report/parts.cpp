#include "report/parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/check.hpp"
#include "native/thread_paths.hpp"
#include "report/subject.hpp"
#include "report/text.hpp"

namespace heddle::report {
namespace {

constexpr Format format{.name = "cube",
                        .version_key = "heddle-cube",
                        .version = 1,
                        .otherwise = "not a line of heddle split"};
constexpr const char* result_key = "cube";
constexpr std::size_t most_parts = 1'000'000;

void add_new(std::vector<std::string>& to, const Json& texts) {
  for (const Json& text : texts)
    if (std::ranges::find(to, text.get<std::string>()) == to.end()) to.push_back(text);
}

bool is_same(const Json& a, const Json& b) {
  return std::ranges::all_of(std::initializer_list<const char*>{"kind", "message", "file", "line"},
                             [&](const char* key) { return a.at(key) == b.at(key); });
}

}  // namespace

std::vector<std::string> part_lines(const SavedExploration& split) {
  Json common = head_of(split);
  common["knowledge"] = native::to_json(split.checkpoint.knowledge, split.checkpoint.numbering);
  const std::vector<parallel::Item>& open = split.checkpoint.open;
  Json all = common;
  for (const parallel::Item& item : open) all["cubes"].push_back(item.cube);
  const std::string job = checksum_of(all);
  std::vector<std::string> out;
  for (const parallel::Item& item : open) {
    Json line{{"job", job}, {"number", out.size() + 1}, {"of", open.size()}};
    line.update(common);
    line["cube"] = item.cube;
    line["estimate"] = item.estimate;
    out.push_back(seal(format, line));
  }
  return out;
}

Part parse_part(const std::string& text) {
  Part out;
  unseal(format, text, [&](const Json& in) {
    out = {in.at("job"), in.at("number"), in.at("of"), read_head(in)};
    if (out.number == 0 || out.number > out.of || out.of > most_parts)
      throw Misuse("invalid number");
    native::Checkpoint& c = out.exploration.checkpoint;
    c.knowledge = native::knowledge_of(in.at("knowledge"));
    c.numbering = native::numbering_of(in.at("knowledge"));
    c.open = {{.cube = in.at("cube"), .estimate = in.at("estimate")}};
    check_cube(c.open[0].cube, c.numbering);
  });
  return out;
}

Json to_json(const Part& part, const native::Report& report) {
  Json texts = Json::array();
  for (const findings::Finding& f : report.findings) texts.push_back(text_of(f, Style{}));
  Json learned;
  if (report.learned)
    learned = native::to_json(report.learned->knowledge, report.learned->numbering);
  return {{"job", part.job},
          {"number", part.number},
          {"of", part.of},
          {"brought", native::to_json(report.brought)},
          {"texts", std::move(texts)},
          {"learned", std::move(learned)}};
}

void add_learned(native::Checkpoint& to, const std::string& name, const std::string& result) {
  try {
    const Json in = Json::parse(result);
    const Json& learned = in.at(result_key).at("learned");
    if (learned.is_null()) return;
    to.knowledge += native::knowledge_of(learned);
    const native::Numbering theirs = native::numbering_of(learned);
    for (std::size_t k = 1; k <= theirs.threads.size(); ++k)
      native::number_of(native::path_of(static_cast<ThreadId>(k), theirs), to.numbering);
    to.knowledge.threads = std::max(to.knowledge.threads, to.numbering.threads.size() + 1);
  } catch (const Misuse& misuse) {
    throw Misuse(fmt::format("{}: {}", name, misuse.what()));
  } catch (const Json::exception&) {
    throw Misuse(fmt::format("{}: not a result of heddle run --cube --json", name));
  }
}

void Merged::add(const std::string& name, const std::string& text) {
  try {
    const Json in = Json::parse(text);
    if (!in.is_object() || !in.contains(result_key))
      throw Misuse("not a result of heddle run --cube --json");
    const Json& cube = in.at(result_key);
    const std::size_t number = cube.at("number"), of = cube.at("of");
    if (number == 0 || number > of || of > most_parts) throw Misuse("invalid number");
    if (names_.empty()) {
      job_ = cube.at("job");
      names_.resize(of);
      program_ = in.at("program");
      arguments_ = in.at("arguments");
      algorithm_ = in.at("algorithm");
    }
    if (cube.at("job") != job_ || of != names_.size())
      throw Misuse(
          "of another split: the parts have to be of the same program, with the same options");
    if (!names_[number - 1].empty())
      throw Misuse(fmt::format("cube {} is in {} as well", number, names_[number - 1]));
    if (!cube.at("learned").is_null())
      throw Misuse(
          fmt::format("cube {} learned something about the program that changes what its "
                      "steps are, so all cubes have to be made anew: heddle split --learned "
                      "{}",
                      number, name));
    brought_ += native::brought_of(cube.at("brought"));
    complete_ = complete_ && in.at("complete").get<bool>();
    seconds_ += in.at("seconds").get<double>();
    add_findings(in.at("findings"), cube.at("texts"));
    add_new(warnings_, in.at("warnings"));
    add_new(limits_, in.at("limits"));
    names_[number - 1] = name;
  } catch (const Misuse& misuse) {
    throw Misuse(fmt::format("{}: {}", name, misuse.what()));
  } catch (const Json::exception&) {
    throw Misuse(fmt::format("{}: not a result of heddle run --cube --json", name));
  }
}

void Merged::add_findings(const Json& findings, const Json& texts) {
  if (findings.size() != texts.size()) throw Misuse("corrupt result");
  for (std::size_t k = 0; k < findings.size(); ++k) {
    const auto known = [&](const Json& f) { return is_same(f, findings[k]); };
    if (std::ranges::any_of(findings_, known)) continue;
    findings_.push_back(findings[k]);
    texts_.push_back(texts[k]);
  }
}

void Merged::check_complete() const {
  std::vector<std::size_t> missing;
  for (std::size_t k = 0; k < names_.size(); ++k)
    if (names_[k].empty()) missing.push_back(k + 1);
  if (missing.empty()) return;
  constexpr std::size_t most = 10;  // in one line
  const std::size_t shown = std::min(missing.size(), most);
  throw Misuse(fmt::format("{} of {} cubes have no result: {}{}", missing.size(), names_.size(),
                           fmt::join(std::span(missing).first(shown), ", "),
                           shown < missing.size() ? ", ..." : ""));
}

std::string Merged::verdict() const {
  if (!findings_.empty()) return "finding";
  if (!complete_) return "incomplete";
  return brought_.counts.executions == 0 ? "vacuous" : "verified";
}

Json Merged::to_json() const {
  Json out = report::json_of("merge");
  out["program"] = program_;
  out["arguments"] = arguments_;
  out["algorithm"] = algorithm_;
  out["verdict"] = verdict();
  out["complete"] = complete_ && findings_.empty();
  out["cubes"] = names_.size();
  out["executions"] = brought_.counts.executions;
  out["blocked"] = brought_.counts.blocked;
  if (brought_.counts.states != 0) {
    out["merged"] = brought_.counts.merged;
    out["states"] = brought_.counts.states;
    out["edges"] = brought_.counts.edges;
  }
  out["events"] = brought_.counts.events;
  out["findings"] = findings_;
  out["outcomes"] = report::to_json(brought_.outcomes);
  out["warnings"] = warnings_;
  out["limits"] = limits_;
  out["seconds"] = seconds_;
  return out;
}

std::string Merged::to_text() const {
  std::string out;
  for (const std::string& text : texts_) out += text + "\n";
  for (const std::string& w : warnings_) out += fmt::format("warning: {}\n", w);
  const Counts& c = brought_.counts;
  out +=
      fmt::format("{}: {}, {} events, in {} cubes, {:.3f} s in all ({})\n", verdict(), runs_text(c),
                  c.events, names_.size(), seconds_, algorithm_.get<std::string>());
  if (findings_.empty()) out += fmt::format("  {}\n", fmt::join(limits_, "\n  "));
  return out;
}

}  // namespace heddle::report
