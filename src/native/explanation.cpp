#include "native/explanation.hpp"

#include <map>

#include "base/check.hpp"

namespace heddle::native {
Ending ending_of(abi::Ending ending) {
  switch (ending) {
    case abi::Ending::complete:
      return Ending::complete;
    case abi::Ending::deadlock:
      return Ending::deadlock;
    case abi::Ending::assumed:
      return Ending::assumed;
    case abi::Ending::diverged:
      return Ending::diverged;
    case abi::Ending::held:
      return Ending::held;
    case abi::Ending::known:
      return Ending::known;
    case abi::Ending::asleep:
      return Ending::asleep;
    case abi::Ending::cut_off:
      return Ending::died;
    case abi::Ending::stopped:
    case abi::Ending::unsupported:
      return Ending::stopped;
  }
  throw Bug("a reply was not checked");
}

Schedule renumbered(const Explanation& run) {
  std::map<ThreadId, ThreadId> number;
  for (const ThreadId thread : run.come)
    number.insert({thread, static_cast<ThreadId>(number.size() + 1)});
  Schedule out = run.moves();
  for (Move& m : out)
    if (const auto known = number.find(m.thread); known != number.end()) m.thread = known->second;
  return out;
}

Schedule Explanation::moves() const {
  Schedule out;
  for (const Step& s : steps) out.push_back(s.move);
  if (outcome.dying_move) out.push_back(*outcome.dying_move);
  return out;
}

}  // namespace heddle::native
