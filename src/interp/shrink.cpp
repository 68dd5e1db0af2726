#include "interp/shrink.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"

namespace heddle::interp {
namespace {

using Code = std::vector<Instruction>;

void erase(Code& code, std::size_t from, std::size_t count) {
  code.erase(code.begin() + static_cast<std::ptrdiff_t>(from),
             code.begin() + static_cast<std::ptrdiff_t>(from + count));
  for (Instruction& i : code) {
    if (i.op != Op::jump || static_cast<std::size_t>(i.target) <= from) continue;
    i.target = static_cast<std::int32_t>(
        std::max(from, static_cast<std::size_t>(i.target) -
                           std::min(count, static_cast<std::size_t>(i.target) - from)));
  }
}

// The length of the unit at pc: an atomic block counts as one.
std::size_t unit(const Code& code, std::size_t pc) {
  if (code[pc].op != Op::atomic_begin) return 1;
  std::size_t end = pc;
  while (end + 1 < code.size() && code[end].op != Op::atomic_end) ++end;
  return end - pc + 1;
}

bool names_threads(const Program& program) {
  for (const Thread& t : program.threads)
    for (const Instruction& i : t.code)
      if (i.op == Op::create || i.op == Op::join || i.op == Op::send || i.op == Op::receive ||
          i.op == Op::try_receive)
        return true;
  return false;
}

class Shrinker {
 public:
  Shrinker(Program program, const std::function<bool(const Program&)>& still_fails)
      : program_(std::move(program)), still_fails_(still_fails) {}

  Program run() {
    while (drop_thread() || drop_unit() || drop_in_block() || open_block() || simplify_value() ||
           strengthen()) {
    }
    return std::move(program_);
  }

 private:
  bool accept(Program candidate) {
    try {
      validate(candidate);
    } catch (const Misuse&) {
      return false;
    }
    if (!still_fails_(candidate)) return false;
    program_ = std::move(candidate);
    return true;
  }

  bool drop_thread() {
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      Program smaller = program_;
      if (!names_threads(program_) && program_.threads.size() > 1)
        smaller.threads.erase(smaller.threads.begin() + static_cast<std::ptrdiff_t>(t));
      else if (!program_.threads[t].code.empty())
        smaller.threads[t].code.clear();
      else
        continue;
      if (accept(std::move(smaller))) return true;
    }
    return false;
  }

  // Tries, at every place, what `change` makes of a copy of the program.
  template <typename Change>
  bool anywhere(Change change) {
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      for (std::size_t pc = 0; pc < program_.threads[t].code.size(); ++pc) {
        Program smaller = program_;
        if (change(smaller.threads[t].code, pc) && accept(std::move(smaller))) return true;
      }
    return false;
  }

  bool drop_unit() {
    return anywhere([](Code& code, std::size_t pc) {
      erase(code, pc, unit(code, pc));
      return true;
    });
  }
  bool drop_in_block() {
    return anywhere([](Code& code, std::size_t pc) {
      if (code[pc].op == Op::atomic_begin || code[pc].op == Op::atomic_end) return false;
      erase(code, pc, 1);
      return true;
    });
  }
  bool open_block() {
    return anywhere([](Code& code, std::size_t pc) {
      if (code[pc].op != Op::atomic_begin) return false;
      const std::size_t n = unit(code, pc);
      erase(code, pc + n - 1, 1);
      erase(code, pc, 1);
      return true;
    });
  }
  bool simplify_value() {
    return anywhere([](Code& code, std::size_t pc) {
      Instruction& i = code[pc];
      if (i.value.constant <= (i.op == Op::choose ? 2 : 0)) return false;
      --i.value.constant;
      return true;
    });
  }

  bool strengthen() {
    return anywhere([](Code& code, std::size_t pc) {
      return std::exchange(code[pc].order, MemoryOrder::sequential) != MemoryOrder::sequential;
    });
  }

  Program program_;
  const std::function<bool(const Program&)>& still_fails_;
};

}  // namespace

Program shrink(Program program, const std::function<bool(const Program&)>& still_fails) {
  return Shrinker(std::move(program), still_fails).run();
}

}  // namespace heddle::interp
