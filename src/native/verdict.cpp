// What a report amounts to.
#include <algorithm>

#include "native/exploration.hpp"

namespace heddle::native {

bool Report::only_endless() const {
  return !findings.empty() && std::ranges::all_of(findings, [](const Finding& f) {
    return f.kind == abi::Finding::endless;
  });
}

const char* Report::verdict() const {
  if (!findings.empty() && !only_endless()) return "finding";
  if (is_vacuous()) return "vacuous";
  return complete && findings.empty() ? "verified" : "incomplete";
}

}  // namespace heddle::native
