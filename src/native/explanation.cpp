#include "native/explanation.hpp"

#include <map>

#include "model/access.hpp"
#include "native/reply.hpp"

namespace heddle::native {
namespace {

std::vector<abi::WireFrame> frames(ReplyReader& reader, std::size_t depth) {
  const auto all = reader.several<abi::WireFrame>(depth);
  return {all.begin(), all.end()};
}

void read_steps(ReplyReader& reader, const abi::ReplyHeader& reply, Worker& worker,
                Explanation& out) {
  out.come = worker.come_to_be_created();
  for (const abi::WireEvent& e : reader.events(reply, 0)) {
    const StepTable::Step what = worker.step(e.step);
    Explanation::Step step{{e.move.thread, e.move.alternative},
                           what.head.site,
                           what.head.alternatives,
                           what.head.varies >= static_cast<std::uint8_t>(Varies::anything),
                           {},
                           {},
                           {},
                           {}};
    for (const abi::WireAccess& a : what.accesses)
      if (a.object >> abi::mode_shift == static_cast<std::uint64_t>(Mode::joined))
        step.joined.push_back(a.a);
      else
        step.accesses.push_back(a);
    if ((e.step & abi::waits_bit) == 0) {
      out.waiting.clear();  // those waited when another gave up, and may have gone on
      out.steps.push_back(std::move(step));
    } else {
      out.waiting.push_back(std::move(step));
    }
  }
}

void read_details(ReplyReader& reader, Explanation& out) {
  const auto& details = reader.one<abi::WireDetails>();
  out.finding_at = details.finding_at;
  for (std::size_t k = 0; k < details.spot_count; ++k) {
    const auto& spot = reader.one<abi::WireSpot>();
    out.spots.push_back({spot, frames(reader, spot.depth)});
  }
  for (std::size_t k = 0; k < details.event_count; ++k) {
    const auto& detail = reader.one<abi::WireEventDetail>();
    auto stack = frames(reader, detail.depth);
    if (detail.event >= out.steps.size()) continue;
    out.steps[detail.event].value = detail.value;
    out.steps[detail.event].frames = std::move(stack);
  }
  const auto blocks = reader.several<abi::WireBlock>(details.block_count);
  out.blocks.assign(blocks.begin(), blocks.end());
}

}  // namespace

Ending ending_of(abi::Ending ending) {
  switch (ending) {
    case abi::Ending::complete:
      return Ending::complete;
    case abi::Ending::deadlock:
      return Ending::deadlock;
    case abi::Ending::assumed:
      return Ending::assumed;
    case abi::Ending::misfit:
      return Ending::misfit;
    case abi::Ending::cut_off:
      return Ending::died;
    default:
      return Ending::stopped;
  }
}

Explanation read_unfinished(const abi::ReplyHeader& reply, Worker& worker) {
  Explanation out;
  ReplyReader reader(reply);
  read_steps(reader, reply, worker, out);
  out.waiting.clear();
  out.finding_at = out.steps.size();
  return out;
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
  if (dying) out.push_back(*dying);
  return out;
}

Explanation read_explanation(const abi::ReplyHeader& reply, Worker& worker) {
  Explanation out;
  ReplyReader reader(reply);
  read_steps(reader, reply, worker, out);
  const auto races = reader.several<abi::WireRace>(reply.race_count);
  out.races.assign(races.begin(), races.end());
  out.ending = ending_of(reply.ending);
  out.misfit_at = reply.misfit_at;
  out.outcome = {reply.finding, reply.finding_thread, reader.text(reply.text_bytes), reply.site};
  for (auto words = reader.several<std::uint64_t>(reply.stack_words); !words.empty();) {
    if (words.size() < 2 || words[1] > words.size() - 2) throw Overwritten();
    const auto stack = words.subspan(2, words[1]);
    out.stacks.push_back({static_cast<std::uint32_t>(words[0]), {stack.begin(), stack.end()}});
    words = words.subspan(2 + words[1]);
  }
  if (reply.detail_bytes != 0) read_details(reader, out);
  return out;
}

}  // namespace heddle::native
