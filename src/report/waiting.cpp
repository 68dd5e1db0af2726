#include "report/waiting.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

namespace heddle::report {
namespace {

using findings::Row;
using findings::Verb;

std::optional<unsigned> joined(const Row& row) {
  const findings::Object* object = row.object();
  if (object == nullptr || object->kind != ObjectClass::thread) return {};
  unsigned out = 0;
  const char* const end = object->name.data() + object->name.size();
  const auto [at, error] = std::from_chars(object->name.data(), end, out);
  if (error != std::errc() || at != end) return {};
  return out;
}

// Whether the waits lead from one thread to the other.
bool leads(const std::vector<Wait>& waits, unsigned from, unsigned to) {
  std::set<unsigned> seen;
  std::vector<unsigned> open = {from};
  while (!open.empty()) {
    const unsigned thread = open.back();
    open.pop_back();
    if (thread == to) return true;
    if (!seen.insert(thread).second) continue;
    for (const Wait& wait : waits)
      if (wait.thread == thread) open.push_back(wait.for_thread);
  }
  return false;
}

}  // namespace

std::vector<Wait> waits_of(const findings::Trace& trace) {
  std::vector<Wait> out;
  for (std::size_t k = 0; k < trace.rows.size(); ++k) {
    const Row& row = trace.rows[k];
    if (row.kind != Row::Kind::waits) continue;
    for (const findings::Holder& holder : row.holders)
      out.push_back({k, row.thread, holder.thread,
                     row.object() == nullptr ? "" : row.object()->name, holder.step});
    if (const auto thread = joined(row)) out.push_back({k, row.thread, *thread, "", 0});
  }
  for (Wait& wait : out) wait.circular = leads(out, wait.for_thread, wait.thread);
  return out;
}

std::vector<unsigned> circle_of(const std::vector<Wait>& waits) {
  std::vector<unsigned> out;
  for (const Wait& wait : waits)
    if (wait.circular && std::ranges::find(out, wait.thread) == out.end())
      out.push_back(wait.thread);
  return out;
}

}  // namespace heddle::report
