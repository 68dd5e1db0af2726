#include "runtime/code/liveness.hpp"

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "runtime/code/instruction.hpp"
#include "runtime/code/returns_twice.hpp"
#include "runtime/sys/mapping.hpp"

namespace heddle::runtime {
namespace {

using Kind = Instruction::Kind;
using Frame = Instruction::Frame;

// More than functions have. If one has more, its calls are not known.
constexpr std::uint64_t most_bytes = 1U << 18;
constexpr unsigned most_parts = 6;

constexpr std::uint32_t elsewhere = ~0U;  // where everything is used

// Registers and halves of slots, by bits: four bytes are what most values have.
using Values = __uint128_t;
constexpr unsigned first_half = 8, half_size = 4, halves = 2 * slots;
constexpr Values everything = ~Values{0};
static_assert(first_half + halves <= 8 * sizeof(Values));
constexpr KeptSet registers_of(Values values) { return static_cast<KeptSet>(values & all_kept); }
constexpr SlotSet slots_of(Values values) {
  SlotSet out = 0;
  for (unsigned k = 0; k < slots; ++k)
    if ((values >> (first_half + 2 * k) & 3) != 0) out |= 1ULL << k;
  return out;
}

struct Node {
  std::uint64_t address, to;          // `to`: of a jump or a branch
  std::uint64_t memory, immediate;    // see Instruction
  std::uint32_t target, landing_pad;  // in the list: of a jump or a branch; of a call
  std::uint8_t length;
  Kind kind;
  bool ends_part, has_landing_pad;
  bool is_of_prologue, in_prologue;  // by itself; as are all before it in its part
  Frame frame;
  Values reads, writes;
  Values used;  // from here on, so far
};

// Once in a process.
struct Scratch {
  Node* nodes;
  // By offset in the parts, one after the other: where in the list of nodes, + 1.
  std::uint32_t* places;
  Call* calls;
};
constinit Scratch scratch{};

template <typename T>
T* map_array() {
  return static_cast<T*>(map_anywhere(most_bytes * sizeof(T)));
}

Values values_of(std::uint16_t registers) {
  unsigned out = 0;
  for (unsigned k = 0; k < kept_registers; ++k) out |= (registers >> kept_numbers[k] & 1U) << k;
  return out;
}

// The halves that memory at this distance from rbp is in.
Values slots_at(std::int32_t offset, std::int32_t size) {
  constexpr std::int32_t half = half_size;
  Values out = 0;
  for (unsigned k = 0; k < halves; ++k) {
    const auto begin = -half * (static_cast<std::int32_t>(k) + 1);
    if (begin - size < offset && offset < begin + half) out |= Values{1} << (first_half + k);
  }
  return out;
}

Values read_by(const Instruction& i) {
  return values_of(i.reads) | (i.frame == Frame::loads ? slots_at(i.offset, i.size) : 0);
}
Values replaced_by(const Instruction& i) {
  return values_of(i.writes) | (i.frame == Frame::replaces ? slots_at(i.offset, i.size) : 0);
}

bool begins_with(const std::uint8_t* code, std::initializer_list<std::uint8_t> bytes) {
  return std::equal(bytes.begin(), bytes.end(), code);
}

// When a function begins, these have nothing that is for it: what calls preserve, and rax (but for
// a byte of it: the number of vector registers that arguments are in). So to push them there is to
// save them, or to move the stack pointer; elsewhere, they may be arguments.
constexpr std::uint16_t may_be_pushed = [] {
  unsigned out = 1;
  for (const std::uint8_t number : kept_numbers) out |= 1U << number;
  return static_cast<std::uint16_t>(out);
}();

// By which functions begin: registers are saved, rbp becomes the frame pointer, and the stack
// pointer is moved.
bool is_of_prologue(std::uint64_t address, const Instruction& i) {
  const auto* code = reinterpret_cast<const std::uint8_t*>(address);
  return (i.frame == Frame::push && (i.reads & may_be_pushed) != 0) ||
         (i.length >= 3 && begins_with(code, {0x48, 0x89, 0xe5})) ||
         (i.length >= 4 &&
          (begins_with(code, {0x48, 0x83, 0xec}) || begins_with(code, {0x48, 0x81, 0xec}) ||
           begins_with(code, {0xf3, 0x0f, 0x1e, 0xfa})));
}

// The instruction is within a part that ends here.
bool decode_before(std::uint64_t end, std::uint64_t address, Instruction& out) {
  constexpr std::uint64_t longest = 16;
  const auto* code = reinterpret_cast<const std::uint8_t*>(address);
  if (end - address >= longest) return decode(code, address, out);
  std::uint8_t copy[longest] = {};
  std::memcpy(copy, code, end - address);
  return decode(copy, address, out) && out.length <= end - address;
}

class Function {
 public:
  // False: it has something that is not understood.
  bool read(std::uint64_t address) {
    if (scratch.nodes == nullptr)
      scratch = {map_array<Node>(), map_array<std::uint32_t>(), map_array<Call>()};
    if (!add_part(address)) return false;
    // More parts come while these are read.
    for (unsigned k = 0; k < part_count_; ++k)
      if (!read_part(parts_[k])) return false;
    for (std::uint32_t k = 0; k < node_count_; ++k)
      if (!find_target(scratch.nodes[k])) return false;
    for (unsigned k = 0; k < part_count_; ++k)
      if (!find_landing_pads(parts_[k].of)) return false;
    return true;
  }

  Calls find() {
    while (go_backwards()) {
    }
    const SlotSet shared = has_frame_of_its_own() ? 0 : all_slots;
    std::uint32_t count = 0;
    for (std::uint32_t k = 0; k < node_count_; ++k) {
      const Node& n = scratch.nodes[k];
      if (n.kind != Kind::call) continue;
      const Values used = used_after(k);
      scratch.calls[count++] = {n.address + n.length, registers_of(used), slots_of(used) | shared};
    }
    return {scratch.calls, count};
  }

 private:
  struct Part {
    FunctionPart of;
    std::uint64_t offset;  // of its first byte among those of all parts
  };

  bool add_part(std::uint64_t address) {
    if (part_count_ == most_parts) return false;
    Part& p = parts_[part_count_];
    if (!find_function_part(address, p.of)) return false;
    const std::uint64_t size = p.of.end - p.of.begin;
    if (size > most_bytes - byte_count_) return false;
    p.offset = byte_count_;
    byte_count_ += size;
    std::memset(scratch.places + p.offset, 0, size * sizeof(std::uint32_t));
    ++part_count_;
    return true;
  }

  const Part* part_of(std::uint64_t address) const {
    for (unsigned k = 0; k < part_count_; ++k)
      if (parts_[k].of.has(address)) return &parts_[k];
    return nullptr;
  }
  // False: in the middle of an instruction.
  bool place_of(std::uint64_t address, std::uint32_t& out) const {
    const Part* p = part_of(address);
    out = p == nullptr ? elsewhere : scratch.places[p->offset + (address - p->of.begin)] - 1;
    return p == nullptr || out != elsewhere;
  }

  bool read_part(const Part& p) {
    FrameRule rule;
    bool in_prologue = find_frame_rule(p.of, p.of.begin, rule) && rule.is_empty();
    for (std::uint64_t at = p.of.begin; at < p.of.end;) {
      Instruction i;
      if (!decode_before(p.of.end, at, i) || (i.kind == Kind::call && may_return_twice(i)))
        return false;
      if ((i.kind == Kind::jump || i.kind == Kind::branch) && !leads_on(p.of, at, i.target))
        return false;
      scratch.places[p.offset + (at - p.of.begin)] = node_count_ + 1;
      scratch.nodes[node_count_++] = {.address = at,
                                      .to = i.target,
                                      .memory = i.memory,
                                      .immediate = i.immediate,
                                      .target = elsewhere,
                                      .landing_pad = elsewhere,
                                      .length = i.length,
                                      .kind = i.kind,
                                      .ends_part = at + i.length == p.of.end,
                                      .has_landing_pad = false,
                                      .is_of_prologue = is_of_prologue(at, i),
                                      .in_prologue = in_prologue && is_of_prologue(at, i),
                                      .frame = i.frame,
                                      .reads = read_by(i),
                                      .writes = replaced_by(i),
                                      .used = 0};
      in_prologue = scratch.nodes[node_count_ - 1].in_prologue;
      at += i.length;
    }
    bool added = true;
    const bool known = for_landing_pads(p.of, [&](std::uint64_t, std::uint64_t, std::uint64_t pad) {
      added = added && (part_of(pad) != nullptr || add_part(pad));
    });
    return known && added;
  }

  // While the function has a frame, it jumps to parts of its own.
  bool leads_on(const FunctionPart& from, std::uint64_t at, std::uint64_t to) {
    if (part_of(to) != nullptr) return true;
    FrameRule rule;
    if (!find_frame_rule(from, at, rule)) return false;
    return rule.is_empty() || add_part(to);
  }

  // (If it has the address of an instruction of its own, it could come there in ways that are not
  // seen.)
  bool find_target(Node& n) const {
    if (part_of(n.memory) != nullptr || part_of(n.immediate) != nullptr) return false;
    return (n.kind != Kind::jump && n.kind != Kind::branch) || place_of(n.to, n.target);
  }

  bool find_landing_pads(const FunctionPart& part) const {
    bool found = true;
    for_landing_pads(part, [&](std::uint64_t begin, std::uint64_t end, std::uint64_t pad) {
      std::uint32_t to = elsewhere;
      found = found && place_of(pad, to);
      for (std::uint32_t k = 0; k < node_count_; ++k) {
        Node& n = scratch.nodes[k];
        if (n.kind != Kind::call || n.address < begin || n.address >= end) continue;
        n.landing_pad = to;
        n.has_landing_pad = true;
      }
    });
    return found;
  }

  // See the header. Where memory relative to rbp is used, rbp has to be the frame pointer; and what
  // the prologue pushes of registers that calls preserve is saved, as far as unwinding knows.
  bool has_frame_of_its_own() const {
    unsigned pushed = 0;
    for (std::uint32_t k = 0; k < node_count_; ++k) {
      const Node& n = scratch.nodes[k];
      if (n.frame == Frame::push && n.in_prologue) {
        if ((pushed & registers_of(n.reads)) != 0) return false;  // twice: not to be saved
        pushed |= registers_of(n.reads);
      }
      if ((n.frame == Frame::none && n.kind != Kind::call) || n.in_prologue) continue;
      const FunctionPart& part = part_of(n.address)->of;
      FrameRule now;
      if (n.frame == Frame::other || !find_frame_rule(part, n.address, now)) return false;
      if (n.kind == Kind::call && (pushed & ~unsigned{now.saved}) != 0) return false;
      if (n.frame == Frame::none) continue;
      if (n.frame == Frame::push) {
        if (!is_saving(k, part, now)) return false;
      } else if (!now.from_rbp || now.end != 16) {
        return false;
      }
    }
    return true;
  }

  // It pushes a register that is then saved. The tables may say so of several at once.
  static bool is_saving(std::uint32_t k, const FunctionPart& part, const FrameRule& now) {
    const KeptSet pushed = registers_of(scratch.nodes[k].reads);
    while (scratch.nodes[k].is_of_prologue && !scratch.nodes[k].ends_part) ++k;
    FrameRule then;
    return pushed != 0 && find_frame_rule(part, scratch.nodes[k].address, then) &&
           (then.saved & pushed) != 0 && (now.saved & pushed) == 0;
  }

  static Values used_from(std::uint32_t place) {
    return place == elsewhere ? everything : scratch.nodes[place].used;
  }
  // It leads to another function only when the frame is gone (leads_on): that may take any register
  // for an argument, but nothing from the frame.
  static Values used_where_it_leads(const Node& n) {
    return n.target == elsewhere ? Values{all_kept} : used_from(n.target);
  }
  // (What does not return may be the last of a part.)
  static Values used_after(std::uint32_t k) {
    const Node& n = scratch.nodes[k];
    const std::uint32_t next = n.ends_part ? elsewhere : k + 1;
    switch (n.kind) {
      case Kind::plain:
        return used_from(next);
      case Kind::call:
        return (n.ends_part ? 0 : used_from(next)) |
               (n.has_landing_pad ? used_from(n.landing_pad) : 0);
      case Kind::jump:
        return used_where_it_leads(n);
      case Kind::branch:
        return used_where_it_leads(n) | used_from(next);
      case Kind::indirect_jump:
        return everything;
      case Kind::ret:
      case Kind::trap:
        return 0;
    }
    return everything;
  }

  // Returns whether anything was found out.
  bool go_backwards() {
    bool changed = false;
    for (std::uint32_t k = node_count_; k-- > 0;) {
      Node& n = scratch.nodes[k];
      const Values used = (used_after(k) & ~n.writes) | n.reads;
      changed = changed || used != n.used;
      n.used = used;
    }
    return changed;
  }

  Part parts_[most_parts];
  unsigned part_count_ = 0;
  std::uint64_t byte_count_ = 0;
  std::uint32_t node_count_ = 0;
};

}  // namespace

Calls find_calls(std::uint64_t address) {
  Function f;
  if (!f.read(address)) return {nullptr, 0};
  return f.find();
}

}  // namespace heddle::runtime
