#include "parallel/engine_process.hpp"

#include <new>

#include "base/check.hpp"
#include "parallel/policy.hpp"
#include "parallel/pulse.hpp"
#include "parallel/split.hpp"

namespace heddle::parallel {
namespace {

using End = Engine::End;

// Asks the other process.
class RemoteLook final : public Look {
 public:
  RemoteLook(Connection& connection, std::uint64_t runs, std::size_t most_nodes)
      : connection_(connection), runs_(runs), most_nodes_(most_nodes) {}

  Asked look(const Live& live) override {
    hear();
    if (live.divisible && live.nodes > most_nodes_ && asked_ == Asked::proceed) {
      asked_ = Asked::give_up;
      const auto runs = static_cast<double>(live.counts.executions + live.counts.blocked);
      const std::size_t parts = parts_for_memory(runs, live.outlook());
      wanted_ = {parts, parts};
    }
    if (asked_ == Asked::proceed && tell_.beats()) tell(live);
    return asked_;
  }
  std::uint64_t more_runs() override {
    if (runs_ != 0) return std::exchange(runs_, 0);
    granted_.reset();
    if (is_over() || !connection_.send({{says, says_more}})) return 0;
    while (!granted_ && asked_ != Asked::stop)
      if (const auto message = connection_.wait())
        heed(*message);
      else
        asked_ = Asked::stop;
    return granted_.value_or(0);
  }
  bool is_over() override {
    hear();
    return asked_ == Asked::stop;
  }
  Wanted wanted() const { return wanted_; }

 private:
  void tell(const Live& live) {
    const Stopwatch stopwatch;
    if (now_.seconds() >= outlook_at_) {
      outlook_ = live.outlook();
      // It takes no more than a twentieth of the time.
      outlook_at_ = now_.seconds() + 20 * stopwatch.seconds();
    }
    connection_.send({{says, says_look},
                      {"counts", to_json(live.counts)},
                      {"findings", live.findings},
                      {"outlook", outlook_},
                      {"divisible", live.divisible},
                      {"memory", peak_rss_kb()}});
  }
  void hear() {
    if (!connection_.fill()) asked_ = Asked::stop;
    while (const auto message = connection_.next()) heed(*message);
  }
  void heed(const Json& message) {
    if (message.at(says) == says_stop) asked_ = Asked::stop;
    if (message.at(says) == says_runs) granted_ = message.at("number");
    if (message.at(says) != says_give_up || asked_ == Asked::stop) return;
    asked_ = Asked::give_up;
    wanted_ = {message.at("parts"), message.at("least")};
  }

  Connection& connection_;
  std::uint64_t runs_;
  std::optional<std::uint64_t> granted_;
  std::size_t most_nodes_;
  Asked asked_ = Asked::proceed;
  Wanted wanted_;
  Pulse tell_{tell_every};
  Stopwatch now_;
  double outlook_ = 0, outlook_at_ = 0;
};

// The parts of a cube.
Json split_up(Engine& engine, Connection& connection, const Item& cube, Wanted wanted) {
  Json parts = Json::array();
  for (const Item& part : split_into(engine, cube, wanted, [&] { return !connection.fill(); }))
    parts.push_back(to_json(part));
  return {{says, says_split}, {"parts", std::move(parts)}};
}

Json explored(Engine& engine, Connection& connection, const Json& message, std::size_t most_nodes) {
  Item item = item_of(message.at("item"));
  RemoteLook look(connection, message.at("runs"), most_nodes);
  const Engine::Explored now = engine.explore(item, look);
  if (now.end == End::learned) throw Learned();
  if (now.end == End::given_up) {
    item.estimate = now.outlook;
    return split_up(engine, connection, item, look.wanted());
  }
  return {{says, says_ended},
          {"end", now.end},
          {"yield", engine.yield()},
          {"outlook", now.outlook},
          {"memory", peak_rss_kb()}};
}

Json answer(Engine& engine, Connection& connection, const Json& message, std::size_t most_nodes) {
  try {
    if (message.at(says) == says_explore) return explored(engine, connection, message, most_nodes);
    return split_up(engine, connection, item_of(message.at("item")),
                    {message.at("parts"), message.at("least")});
  } catch (const Learned&) {
    return {{says, says_ended}, {"end", End::learned}, {"knowledge", engine.knowledge()}};
  } catch (const Interrupted&) {
    return {{says, says_ended}, {"end", End::stopped}, {"yield", nullptr}};
  }
}

Json failure(const char* kind, const std::string& text) {
  return {{says, says_failed}, {"kind", kind}, {"text", text}};
}

}  // namespace

Json to_json(const Counts& c) {
  return {c.executions, c.blocked, c.merged, c.events, c.deadlocks, c.findings, c.discarded};
}

Counts counts_of(const Json& json) {
  const auto n = json.get<std::vector<std::uint64_t>>();
  if (n.size() != 7) throw Misuse("invalid counts");
  return {n[0], n[1], n[2], n[3], n[4], n[5], n[6]};
}

Json to_json(const Item& item) {
  return {{"cube", item.cube}, {"partial", item.partial}, {"estimate", item.estimate}};
}

Item item_of(const Json& json) {
  return {.cube = json.at("cube"), .partial = json.at("partial"), .estimate = json.at("estimate")};
}

void serve(Engine& engine, Connection& connection, std::size_t most_nodes) {
  try {
    while (const auto message = connection.wait()) {
      // These were meant for what has ended meanwhile.
      if (message->at(says) == says_stop || message->at(says) == says_give_up ||
          message->at(says) == says_runs)
        continue;
      if (message->contains("knowledge")) engine.learn(message->at("knowledge"));
      if (!connection.send(answer(engine, connection, *message, most_nodes))) return;
    }
  } catch (const std::bad_alloc&) {
    connection.send(failure("memory", ""));
  } catch (const Misuse& misuse) {
    connection.send(failure("misuse", misuse.what()));
  } catch (const std::exception& error) {
    connection.send(failure("bug", error.what()));
  }
}

}  // namespace heddle::parallel
