#include "model/messages.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/check.hpp"
#include "base/hash.hpp"

namespace heddle {
namespace {

// Never forgotten: names are in footprints, which nothing says when they are no longer used. There
// is one for each receive in the source, and for each tag.
struct Lists {
  std::vector<std::vector<Pattern>> all;
  std::unordered_multimap<std::uint64_t, std::uint64_t> by_hash;
};

Lists& lists() {
  static Lists of_process;
  return of_process;
}

std::uint64_t hash_of(std::span<const Pattern> patterns) {
  std::uint64_t hash = patterns.size();
  for (const Pattern& p : patterns)
    hash = mix(mix(hash, p.kind),
               mix(p.tag, (p.any_kind ? 1U : 0U) | (p.any_tag ? 2U : 0U) | (p.judged ? 4U : 0U)));
  return hash;
}

std::span<const Pattern> list_of(const Access& access) {
  HEDDLE_CHECK(access.b < lists().all.size());
  return lists().all[access.b];
}

}  // namespace

std::uint64_t name_of(std::span<const Pattern> patterns) {
  Lists& known = lists();
  const std::uint64_t hash = hash_of(patterns);
  const auto [from, to] = known.by_hash.equal_range(hash);
  for (auto it = from; it != to; ++it)
    if (std::ranges::equal(known.all[it->second], patterns)) return it->second;
  known.all.emplace_back(patterns.begin(), patterns.end());
  known.by_hash.emplace(hash, known.all.size() - 1);
  return known.all.size() - 1;
}

bool accepts(const Access& receive, const Access& send) {
  if (receive.bits[0] != has_patterns) return (receive.b & send.b) != 0;
  const Pattern& sent = list_of(send)[0];
  return std::ranges::any_of(list_of(receive), [&](const Pattern& p) {
    return (p.any_kind || p.kind == sent.kind) && (p.any_tag || p.tag == sent.tag);
  });
}

bool judges(const Access& receive) {
  return receive.bits[0] == has_patterns &&
         std::ranges::any_of(list_of(receive), [](const Pattern& p) { return p.judged; });
}

}  // namespace heddle
