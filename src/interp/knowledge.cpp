#include "interp/knowledge.hpp"

#include <algorithm>

namespace heddle::interp {
namespace {

bool has(const std::vector<bool>& bits, std::size_t n) { return n < bits.size() && bits[n]; }

void set(std::vector<bool>& bits, std::size_t n) {
  if (n >= bits.size()) bits.resize(n + 1);
  bits[n] = true;
}

void add(std::vector<bool>& to, const std::vector<bool>& from) {
  for (std::size_t n = 0; n < from.size(); ++n)
    if (from[n]) set(to, n);
}

void describe_set(const std::vector<bool>& bits, std::vector<std::int64_t>& out) {
  for (std::size_t n = 0; n < bits.size(); ++n)
    if (bits[n]) out.push_back(static_cast<std::int64_t>(n));
  out.push_back(-1);
}

}  // namespace

Knowledge::Bits& Knowledge::known_to(Name name) {
  if (name >= known_.size()) known_.resize(name + 1);
  return known_[name];
}

void Knowledge::apply(const Act& act, Accesses& accesses) {
  if (act.kind == Act::Kind::access) return access(act.what, accesses);
  known_to(std::max(act.to, act.from));
  if (act.kind != Act::Kind::add) known_[act.to].clear();
  if (act.kind != Act::Kind::forget) add(known_[act.to], known_[act.from]);
}

void Knowledge::access(const PlainAccess& what, Accesses& accesses) {
  const std::size_t number = accesses.number_of(what);
  const Bits& own = known_to(what.thread);
  for (std::size_t n = 0; n < made_.size(); ++n) {
    if (!made_[n] || has(own, n) || !accesses[n].races_with_later(what)) continue;
    const RacingPair pair(accesses[n], what);
    const auto at = std::ranges::lower_bound(races_, pair);
    if (at == races_.end() || *at != pair) races_.insert(at, pair);
  }
  for (Bits& known : known_)
    if (has(known, number)) known[number] = false;
  set(known_[what.thread], number);
  set(made_, number);
}

void Knowledge::describe(std::vector<std::int64_t>& out) const {
  std::size_t names = known_.size();
  const auto knows_any = [](const Bits& bits) {
    return std::ranges::find(bits, true) != bits.end();
  };
  while (names > 0 && !knows_any(known_[names - 1])) --names;
  for (std::size_t name = 0; name < names; ++name) describe_set(known_[name], out);
  describe_set(made_, out);
}

}  // namespace heddle::interp
