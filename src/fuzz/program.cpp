#include "fuzz/program.hpp"

#include <algorithm>

namespace heddle::fuzz {
namespace {

template <typename Is>
bool any_kind(const Program& program, Is is) {
  return std::ranges::any_of(program.threads, [&](const std::vector<Step>& thread) {
    return std::ranges::any_of(thread, [&](const Step& s) { return is(kinds()[s.kind]); });
  });
}

bool is_balanced(const std::vector<Step>& thread) {
  std::vector<Step> open;
  for (const Step& step : thread) {
    const Kind& kind = kinds()[step.kind];
    if (kind.role == Role::opens) open.push_back(step);
    if (kind.role != Role::closes) continue;
    if (open.empty() || open.back().k != step.k || kinds()[open.back().kind].partner != kind.name)
      return false;
    open.pop_back();
  }
  return open.empty();
}

}  // namespace

bool uses(const Program& program, char object) {
  return any_kind(program, [&](const Kind& k) { return k.uses.find(object) != std::string::npos; });
}

bool waits(const Program& program) {
  return any_kind(program,
                  [&](const Kind& k) { return k.code.find("WAITS") != std::string::npos; });
}

bool is_timed(const Program& program) {
  return any_kind(program, [](const Kind& k) { return k.timed; });
}

std::size_t steps_of(const Program& program) {
  std::size_t n = 0;
  for (const auto& thread : program.threads) n += thread.size();
  return n;
}

bool is_well_formed(const Program& program) {
  const bool needs_cxx =
      program.look == Look::by_reference || any_kind(program, [](const Kind& k) { return k.cxx; });
  if (program.early && (!program.main_works || program.threads.back().empty())) return false;
  return (program.cxx || !needs_cxx) && std::ranges::all_of(program.threads, is_balanced);
}

}  // namespace heddle::fuzz
