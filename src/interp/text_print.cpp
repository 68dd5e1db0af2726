#include <algorithm>

#include "base/check.hpp"
#include "interp/text.hpp"
#include "interp/text_words.hpp"

namespace heddle::interp {
namespace {

constexpr std::size_t columns = 100;

std::string reg_text(std::int8_t reg) { return "$" + std::to_string(+reg); }

std::string value_text(const Value& v) {
  if (v.reg < 0) return std::to_string(v.constant);
  if (v.constant == 0) return reg_text(v.reg);
  return reg_text(v.reg) + (v.constant > 0 ? "+" : "") + std::to_string(v.constant);
}

std::string tags_text(const Value& tags) {
  if (tags.reg >= 0) return value_text(tags);
  const std::int64_t set = tags.constant;
  if (set == 0) return "none";
  if (set == -1) return "*";
  std::string out;
  for (int tag = 0; tag < 64; ++tag)
    if ((static_cast<std::uint64_t>(set) >> tag & 1) != 0)
      out += (out.empty() ? "" : ",") + std::to_string(tag);
  return out;
}

std::string_view compare_text(Compare cmp) { return comparisons[static_cast<std::size_t>(cmp)]; }

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {}

  std::string run() {
    std::string out;
    for (std::size_t o = 0; o < program_.objects.size();
         o += std::max<std::size_t>(1, program_.objects[o].length))
      out += declaration(program_.objects[o]);
    for (const Thread& t : program_.threads) out += thread(t);
    return out;
  }

 private:
  static std::string declaration(const Object& o) {
    const auto d = std::ranges::find_if(declarations, [&](const Declaration& candidate) {
      return candidate.kind == o.kind && candidate.on_heap == o.on_heap &&
             candidate.array == (o.length > 1);
    });
    if (d == declarations.end())
      throw Misuse("no text declares an object such as '" + o.name + "'");
    std::string out = std::string(d->name) + " " + o.name;
    if (d->array) out += " " + std::to_string(o.length);
    if (d->initial == Initial::required || (d->initial == Initial::optional && o.initial != 0))
      out += " = " + std::to_string(o.initial);
    return out + "\n";
  }

  struct Line {
    std::string text;
    std::size_t depth;
  };

  std::string thread(const Thread& t) {
    const std::string head = (t.created ? "created " : "thread ") + t.name + ":";
    std::string joined = head;
    std::string apart = head + "\n";
    for (const Line& line : code(t)) {
      const bool separate = !joined.ends_with(":") && !joined.ends_with("{") && line.text != "}";
      joined += (separate ? "; " : " ") + line.text;
      apart += std::string(2 * line.depth, ' ') + line.text + "\n";
    }
    return joined.size() < columns ? joined + "\n" : apart;
  }

  // Its instructions, each with the label before it; after them there may be a label for the end.
  std::vector<Line> code(const Thread& t) {
    label(t);
    std::vector<Line> lines;
    std::size_t depth = 1;
    for (std::size_t k = 0; k < t.code.size(); ++k) {
      if (t.code[k].op == Op::atomic_end) --depth;
      const std::string before = labels_[k].empty() ? "" : labels_[k] + ": ";
      lines.push_back({before + instruction(t.code[k]), depth});
      if (t.code[k].op == Op::atomic_begin) ++depth;
    }
    if (!labels_.back().empty()) lines.push_back({labels_.back() + ":", depth});
    return lines;
  }

  void label(const Thread& t) {
    labels_.assign(t.code.size() + 1, "");
    for (const Instruction& i : t.code)
      if (i.op == Op::jump) labels_[static_cast<std::size_t>(i.target)] = "L";
    int count = 0;
    for (std::string& l : labels_)
      if (!l.empty()) l += std::to_string(count++);
  }

  std::string object(const Instruction& i) const {
    if (i.index >= 0) return program_.objects[i.object].name + "[" + reg_text(i.index) + "]";
    return element(i.object);
  }

  std::string element(Location object) const {
    const Object& o = program_.objects[object];
    return o.length > 1 ? o.name + "[" + std::to_string(o.index) + "]" : o.name;
  }

  static std::string compared(const Instruction& i) {
    return " " + std::string(compare_text(i.cmp)) + " " + value_text(i.value);
  }

  std::string instruction(const Instruction& i) const {
    const std::string order(memory_orders[static_cast<std::size_t>(i.order)]);
    return without_order(i) + (i.order == MemoryOrder::sequential ? "" : " " + order);
  }

  std::string without_order(const Instruction& i) const {
    const std::string result = i.dst >= 0 ? reg_text(i.dst) + " = " : "";
    switch (i.op) {
      case Op::read:
        return result + object(i);
      case Op::check:
        return result + "(" + object(i) + compared(i) + ")";
      case Op::write:
        return object(i) + " = " + value_text(i.value);
      case Op::add:
        return object(i) + " += " + value_text(i.value);
      case Op::plain_read:
        return result + "plain " + object(i);
      case Op::plain_write:
        return "plain " + object(i) + " = " + value_text(i.value);
      case Op::atomic_begin:
        return "atomic {";
      case Op::atomic_end:
        return "}";
      case Op::jump:
        return jump(i);
      case Op::set:
      case Op::plus:
      case Op::times:
      case Op::modulo:
        return reg_text(i.dst) + " " +
               std::string(std::ranges::find(assignments, i.op, &Assignment::op)->name) + " " +
               value_text(i.value);
      default:
        return operation(
            *std::ranges::find_if(
                words, [&](const Word& w) { return w.op == i.op && w.timed == i.timed; }),
            i);
    }
  }

  std::string jump(const Instruction& i) const {
    Instruction unconditional = always;
    unconditional.target = i.target;
    return (i == unconditional ? "" : "if " + reg_text(i.dst) + compared(i) + " ") + "goto " +
           labels_[static_cast<std::size_t>(i.target)];
  }

  std::string operation(const Word& word, const Instruction& i) const {
    std::string out = word.result && i.dst >= 0 ? reg_text(i.dst) + " = " : "";
    out += word.name;
    for (Operand operand : word.operands)
      if (operand != Operand::none) out += " " + operand_text(operand, i);
    return out;
  }

  std::string operand_text(Operand operand, const Instruction& i) const {
    switch (operand) {
      case Operand::none:
        return "";
      case Operand::object:
        return object(i);
      case Operand::mutex:
        return element(i.second);
      case Operand::compare:
        return std::string(compare_text(i.cmp));
      case Operand::value:
      case Operand::tag:
      case Operand::alternatives:
        return value_text(i.value);
      case Operand::value2:
        return value_text(i.value2);
      case Operand::reg:
        return reg_text(i.dst);
      case Operand::thread:
        return program_.threads[i.object - program_.thread_object(0)].name;
      case Operand::mailbox:
        return i.index >= 0 ? reg_text(i.index)
                            : program_.threads[i.object - program_.mailbox(0)].name;
      case Operand::tags:
        return tags_text(i.value);
    }
    return "";
  }

  const Program& program_;
  std::vector<std::string> labels_;  // of the thread, by position; empty where none is needed
};

bool same(const Object& x, const Object& y) {
  return x.name == y.name && x.kind == y.kind && x.initial == y.initial && x.index == y.index &&
         x.length == y.length && x.on_heap == y.on_heap;
}

// Where the programs differ; empty if they do not.
std::string difference(const Program& x, const Program& y) {
  if (x.objects.size() != y.objects.size()) return "its number of objects";
  if (x.threads.size() != y.threads.size()) return "its number of threads";
  for (std::size_t o = 0; o < x.objects.size(); ++o)
    if (!same(x.objects[o], y.objects[o]))
      return "object " + std::to_string(o) + " ('" + x.objects[o].name + "')";
  for (std::size_t t = 0; t < x.threads.size(); ++t) {
    std::string who = "thread '" + x.threads[t].name + "'";
    const auto& code = x.threads[t].code;
    if (x.threads[t].name != y.threads[t].name || x.threads[t].created != y.threads[t].created ||
        code.size() != y.threads[t].code.size())
      return who;
    for (std::size_t k = 0; k < code.size(); ++k)
      if (code[k] != y.threads[t].code[k]) return who + ", instruction " + std::to_string(k + 1);
  }
  return "";
}

}  // namespace

std::string print_program(const Program& program) {
  validate(program);
  std::string text = Printer(program).run();
  // Programs are data, and can have more in them than the language says. Better no text than one
  // of another program: the fuzzer's finds are kept as text.
  std::string lost;
  try {
    lost = difference(program, parse_program(text));
  } catch (const Misuse& e) {
    lost = e.what();
  }
  if (!lost.empty()) throw Misuse("no text says all of this program: " + lost);
  return text;
}

}  // namespace heddle::interp
