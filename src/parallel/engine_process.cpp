#include "parallel/engine_process.hpp"

#include <new>

#include "base/check.hpp"
#include "parallel/policy.hpp"
#include "parallel/pulse.hpp"

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
      too_large_ = true;
    }
    const bool first = !judged_ && runs_of(live.counts) >= enough_to_judge;
    judged_ = judged_ || first;
    // What is given up is counted, too.
    if (asked_ == Asked::give_up || first || tell_.beats())
      tell(live, asked_ == Asked::give_up || first);
    return asked_;
  }
  std::uint64_t look_after() const override { return enough_to_judge; }
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
  bool too_large() const { return too_large_; }

 private:
  void tell(const Live& live, bool exactly) {
    const Stopwatch stopwatch;
    if (exactly || now_.seconds() >= outlook_at_) {
      outlook_ = live.outlook();
      // It takes no more than a hundredth of the time.
      outlook_at_ = now_.seconds() + 100 * stopwatch.seconds();
    }
    connection_.send({{says, says_look},
                      {"counts", to_json(live.counts)},
                      {"findings", live.findings},
                      {"open", live.open},
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
    if (message.at(says) == says_give_up && asked_ != Asked::stop) asked_ = Asked::give_up;
  }

  Connection& connection_;
  std::uint64_t runs_;
  std::optional<std::uint64_t> granted_;
  std::size_t most_nodes_;
  Asked asked_ = Asked::proceed;
  bool judged_ = false, too_large_ = false;
  Pulse tell_{tell_every};
  Stopwatch now_;
  double outlook_ = 0, outlook_at_ = 0;
};

Json split_up(Engine& engine, const std::string& cube, bool too_large) {
  Json out{{says, says_split}, {"too large", too_large}};
  if (const auto h = engine.halves(cube)) out["halves"] = {h->first, h->second, h->in_vain};
  return out;
}

Json explored(Engine& engine, Connection& connection, const Json& message, std::size_t most_nodes) {
  const Item item = item_of(message.at("item"));
  RemoteLook look(connection, message.at("runs"), most_nodes);
  const Engine::Explored now = engine.explore(item, look);
  if (now.end == End::learned) throw Learned();
  if (now.end == End::given_up) return split_up(engine, item.cube, look.too_large());
  return {{says, says_ended},
          {"end", now.end},
          {"yield", engine.yield()},
          {"outlook", now.outlook},
          {"memory", peak_rss_kb()}};
}

Json answer(Engine& engine, Connection& connection, const Json& message, std::size_t most_nodes) {
  try {
    if (message.at(says) == says_explore) return explored(engine, connection, message, most_nodes);
    return split_up(engine, message.at("cube"), false);
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
  return {c.executions, c.blocked,   c.merged, c.events, c.deadlocks,
          c.findings,   c.discarded, c.states, c.edges};
}

Counts counts_of(const Json& json) {
  const auto n = json.get<std::vector<std::uint64_t>>();
  if (n.size() != 9) throw Misuse("invalid counts");
  return {n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]};
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
