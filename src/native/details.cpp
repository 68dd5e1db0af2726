// Details of a run: the part of Decoder that reads what a run recorded about itself.
#include "base/check.hpp"
#include "model/access.hpp"
#include "native/decoder.hpp"
#include "native/reply.hpp"

namespace heddle::native {
namespace {

std::vector<abi::WireFrame> frames(ReplyReader& reader, std::size_t depth) {
  const auto all = reader.several<abi::WireFrame>(depth);
  return {all.begin(), all.end()};
}

Explanation::Step step_of(const abi::WireEvent& e, const StepTable::Step& what) {
  Explanation::Step step;
  step.move = {e.move.thread, e.move.alternative};
  step.site = what.head.site;
  step.alternatives = what.head.alternatives;
  step.varies = what.head.varies >= static_cast<std::uint8_t>(Varies::anything);
  for (const abi::WireAccess& a : what.accesses)
    if (abi::mode_bits(a) == static_cast<std::uint64_t>(Mode::joined))
      step.joined.push_back(a.a);
    else
      step.accesses.push_back(a);
  return step;
}

void read_steps(ReplyReader& reader, const abi::ReplyHeader& reply, const SharedNames& names,
                Explanation& out) {
  for (const abi::WireEvent& e : reader.events(reply, 0)) {
    Explanation::Step step = step_of(e, names.step(abi::step_name(e)));
    for (const abi::WireAccess& a : step.accesses)
      if (abi::mode_bits(a) == static_cast<std::uint64_t>(Mode::send)) {
        const auto patterns = names.step(a.b).accesses;
        step.sent.assign(patterns.begin(), patterns.end());
      }
    if (abi::is_pending(e)) {
      out.waiting.push_back(std::move(step));
    } else {
      out.waiting
          .clear();  // they were blocked when another thread timed out, and may have continued
      out.steps.push_back(std::move(step));
    }
  }
}

void read_stacks(ReplyReader& reader, const abi::ReplyHeader& reply, Explanation& out) {
  ReplyReader stacks = reader.part(reply.stack_words * std::uint64_t{8});
  while (!stacks.empty()) {
    const auto& stack = stacks.one<abi::WireStack>();
    const auto frames = stacks.several<std::uint64_t>(stack.depth);
    out.stacks.push_back(
        {static_cast<std::uint32_t>(stack.thread), {frames.begin(), frames.end()}});
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
    HEDDLE_CHECK(detail.event < out.steps.size());
    out.steps[detail.event].value = detail.value;
    out.steps[detail.event].frames = frames(reader, detail.depth);
  }
  const auto blocks = reader.several<abi::WireBlock>(details.block_count);
  out.blocks.assign(blocks.begin(), blocks.end());
}

}  // namespace

Explanation Decoder::details(const abi::ReplyHeader& reply) {
  Explanation out;
  ReplyReader reader(reply);
  read_steps(reader, reply, names_, out);
  const auto races = reader.several<abi::WireRace>(reply.race_count);
  out.races.assign(races.begin(), races.end());
  out.ending = ending_of(reply.ending);
  out.diverged_at = reply.diverged_at;
  out.outcome = {reply.finding, reply.finding_thread, reader.text(reply.text_bytes), reply.site};
  read_stacks(reader, reply, out);
  if (reply.detail_bytes != 0) read_details(reader, out);
  return out;
}

Explanation Decoder::unfinished_details(const abi::ReplyHeader& reply) {
  Explanation out;
  ReplyReader reader(reply);
  read_steps(reader, reply, names_, out);
  out.waiting.clear();
  out.finding_at = out.steps.size();
  return out;
}

}  // namespace heddle::native
