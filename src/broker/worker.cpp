#include "broker/worker.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "base/check.hpp"
#include "base/option.hpp"

namespace heddle::broker {
namespace {

std::string make_name(std::string host) {
  if (host.empty()) {
    std::array<char, 256> text{};
    gethostname(text.data(), text.size() - 1);
    host = text.data();
  }
  constexpr std::size_t most = 64;
  host = host.substr(0, most);
  for (char& c : host)
    if (!is_name(std::string_view(&c, 1))) c = '_';
  return fmt::format("{}.{}.{:08x}", host, getpid(), std::random_device()());
}

std::uint64_t parse_count(const std::string& text) {
  std::uint64_t out = 0;
  if (!read_number(text, out)) throw Malformed("the broker has a count that is not a number");
  return out;
}

// Words, after their number.
void append(std::vector<std::string>& to, const std::vector<std::string>& words) {
  to.push_back(std::to_string(words.size()));
  to.insert(to.end(), words.begin(), words.end());
}

// kind, detail, counts, parts; as the function `finish` takes them.
std::vector<std::string> words_of(const Outcome& outcome, std::string_view generation) {
  std::vector<std::string> out, counts, parts;
  if (const Done* done = std::get_if<Done>(&outcome)) {
    out = {"done", done->result};
    for (const auto& [name, count] : done->counts) {
      counts.push_back(name);
      counts.push_back(std::to_string(count));
    }
  } else if (const Split* split = std::get_if<Split>(&outcome)) {
    out = {"split", ""};
    for (const std::string& cube : split->cubes) {
      parts.push_back(cube_name(generation, cube));
      parts.push_back(cube);
    }
  } else {
    out = {"failed", std::get<Failed>(outcome).why};
  }
  append(out, counts);
  append(out, parts);
  return out;
}

Answer parse_answer(const std::string& word) {
  if (word == "accepted") return Answer::accepted;
  if (word == "known") return Answer::known;
  if (word == "void") return Answer::obsolete;
  throw Malformed("the broker answers in unknown words");
}

}  // namespace

Worker::Worker(Client& client, const std::string& job, Settings settings)
    : client_(client),
      job_(job),
      settings_(std::move(settings)),
      name_(make_name(settings_.host)),
      keys_(job, name_) {
  const JobInfo info = read_job(client_, job_);
  view_.state = info.state;
  view_.generation = info.generation;
  check_permissions(client_, keys_);
}

void Worker::resend() {
  if (last_finish_.empty() || connection_of_last_ == client_.connections()) return;
  try_function(client_, "finish", keys_, last_finish_);
  connection_of_last_ = client_.connections();
}

Value Worker::try_ask(std::string_view function, const Arguments& arguments) {
  client_.ensure_connected();
  resend();
  Arguments all = {name_, std::to_string(settings_.expiry.count())};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return try_function(client_, function, keys_, all);
}

Value Worker::ask(std::string_view function, const Arguments& arguments) {
  return client_.retry([&] { return try_ask(function, arguments); });
}

const std::string& Worker::note(const Value& answer) {
  const Value::List& list = answer.list();
  if (list.size() < 6) throw Malformed("the broker's answer is too short");
  view_.state = parse_state(list[1].text());
  view_.generation = list[2].text();
  view_.open = parse_count(list[3].text());
  const auto number_at = [&](std::size_t k) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(list[k].number(), 0));
  };
  view_.hungry = number_at(4);
  view_.workers = number_at(5);
  return list[0].text();
}

void Worker::hold(const Value& entry, std::uint64_t delivery) {
  const Value::List& fields = entry.list(2)[1].list(8);
  Claim out{.delivery = delivery};
  const std::array<std::pair<std::string_view, std::string*>, 4> expected = {
      {{"id", &out.name},
       {"parent", &out.parent},
       {"generation", &out.generation},
       {"cube", &out.cube}}};
  for (std::size_t k = 0; k < expected.size(); ++k) {
    if (fields[2 * k].text() != expected[k].first)
      throw Malformed(fmt::format("a cube has an unknown field '{}'", fields[2 * k].text()));
    *expected[k].second = fields[2 * k + 1].text();
  }
  out.entry = entry.list()[0].text();
  check_cube(out.cube);
  if (out.name != cube_name(out.generation, out.cube))
    throw Malformed("a cube is not what it is named");
  claim_ = std::move(out);
  view_.is_wanted = true;
  next_look_ = Clock::now() + between_looks();
}

// Nothing is on offer: waits until something is, for a while, and asks how things stand.
void Worker::wait_for_entry() {
  Value answer;
  try {
    answer =
        client_.try_one({"XREADGROUP", "GROUP", std::string(group), name_, "COUNT", "1", "BLOCK",
                         std::to_string(settings_.waiting.count()), "STREAMS", keys_.cubes, ">"},
                        settings_.waiting);
  } catch (const Lost&) {
    return;  // if there was an entry, it is asked for again
  } catch (const Refused& refused) {
    const std::string_view why = refused.what();
    if (why.starts_with("NOGROUP") || why.starts_with("UNBLOCKED")) return;  // the job is gone
    throw;
  }
  if (answer.is_nothing()) return;
  hold(answer.list(1)[0].list(2)[1].list(1)[0], 1);
  if (note(ask("look", look_arguments(""))) != "wanted")
    claim_.reset();
  else if (view_.state != State::running)
    leave();
}

std::optional<Claim> Worker::claim() {
  HEDDLE_CHECK(!claim_ || !view_.is_wanted);
  claim_.reset();
  while (!client_.is_interrupted()) {
    const Value answer = client_.retry([&] {
      client_.ensure_connected();
      const bool is_long = Clock::now() - *client_.connected_since() >= settings_.silence;
      return try_ask("seek", {std::to_string(is_long ? settings_.silence.count() : 0),
                              std::to_string(settings_.deliveries), ""});
    });
    if (note(answer) == "cube")
      hold(answer.list(8)[6], static_cast<std::uint64_t>(answer.list()[7].number()));
    else if (view_.state != State::running)
      return std::nullopt;
    else
      wait_for_entry();
    if (claim_) return claim_;
  }
  return std::nullopt;
}

Worker::Arguments Worker::claim_arguments() const {
  HEDDLE_CHECK(claim_.has_value());
  return {claim_->generation, claim_->entry, claim_->name, claim_->parent};
}

Worker::Arguments Worker::look_arguments(std::string_view progress) const {
  Arguments out = claim_arguments();
  out.emplace_back(progress.substr(0, most_heartbeat));
  return out;
}

// Of many workers each looks less often, so that the broker has time for what they explore. But
// none is silent for so long that it seems to be gone.
Worker::Settings::Duration Worker::between_looks() const {
  constexpr std::int64_t not_many = 300;
  const auto times = std::max<std::int64_t>(static_cast<std::int64_t>(view_.workers) / not_many, 1);
  const auto longest =
      std::max(settings_.heartbeat, std::min(settings_.silence, settings_.expiry) / 3);
  return std::min(times * settings_.heartbeat, longest);
}

const View& Worker::look(std::string_view progress) {
  const Clock::time_point start = Clock::now();
  if (!claim_ || start < next_look_) return view_;
  next_look_ = start + between_looks();
  try {
    view_.is_wanted = note(try_ask("look", look_arguments(progress))) == "wanted";
  } catch (const Lost&) {
    // To try costs time, if the network swallows what is sent: less than a fifth of all time.
    const Clock::time_point now = Clock::now();
    next_look_ = std::max(next_look_, now + 4 * (now - start));
  }
  return view_;
}

Answer Worker::finish(const Outcome& outcome) {
  check_outcome(outcome);
  Arguments arguments = claim_arguments();
  for (std::string& word : words_of(outcome, claim_->generation))
    arguments.push_back(std::move(word));
  const Answer answer = parse_answer(note(ask("finish", arguments)));
  claim_.reset();
  last_finish_ = {name_, std::to_string(settings_.expiry.count())};
  last_finish_.insert(last_finish_.end(), arguments.begin(), arguments.end());
  connection_of_last_ = client_.connections();
  return answer;
}

void Worker::leave() {
  const std::string entry = claim_ ? claim_->entry : "";
  claim_.reset();
  try {
    try_ask("leave", {entry});
  } catch (const Error&) {
    // The claim is lost by silence instead.
  }
}

bool Worker::report(std::string_view key, std::string_view finding) {
  check_text(key, most_heartbeat, "the key of a finding");
  check_text(finding, most_finding, "a finding");
  const std::string& generation = claim_ ? claim_->generation : view_.generation;
  return note(ask("report", {generation, std::string(key), std::string(finding)})) == "accepted";
}

bool Worker::renew(std::string_view generation, std::string_view knowledge) {
  check_text(knowledge, most_knowledge, "what is known");
  const std::string root = read_job(client_, job_).root;
  const std::string next = next_generation(generation, knowledge);
  const bool is_first = note(ask("renew", {std::string(generation), next, std::string(knowledge),
                                           cube_name(next, root), root})) == "accepted";
  claim_.reset();
  return is_first;
}

}  // namespace heddle::broker
