#include "fuzz/shrink.hpp"

#include <utility>

namespace heddle::fuzz {
namespace {

class Shrinker {
 public:
  Shrinker(Program program, const std::function<bool(const Program&)>& still_differs)
      : program_(std::move(program)), still_differs_(still_differs) {}

  Program run() {
    while (drop_thread() || drop_step() || drop_pair() || simplify_step() || simplify_rest()) {
    }
    return std::move(program_);
  }

 private:
  bool accept(Program candidate) {
    if (candidate == program_ || !is_well_formed(candidate) || !still_differs_(candidate))
      return false;
    program_ = std::move(candidate);
    return true;
  }

  bool drop_thread() {
    for (std::size_t t = 0; program_.threads.size() > 1 && t < program_.threads.size(); ++t) {
      Program smaller = program_;
      smaller.threads.erase(smaller.threads.begin() + static_cast<std::ptrdiff_t>(t));
      if (accept(std::move(smaller))) return true;
    }
    return false;
  }

  // Tries, at every place, what `change` makes of the steps of a thread.
  template <typename Change>
  bool anywhere(Change change) {
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      for (std::size_t at = 0; at < program_.threads[t].size(); ++at) {
        Program smaller = program_;
        if (change(smaller.threads[t], at) && accept(std::move(smaller))) return true;
      }
    return false;
  }

  bool drop_step() {
    return anywhere([](std::vector<Step>& steps, std::size_t at) {
      steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(at));
      return true;
    });
  }
  // What opens, with what closes; what is between stays, or goes too.
  bool drop_pair() {
    for (const bool all : {true, false}) {
      const bool done = anywhere([&](std::vector<Step>& steps, std::size_t at) {
        if (kinds()[steps[at].kind].role != Role::opens) return false;
        std::size_t end = at + 1;
        while (end < steps.size() && kinds()[steps[end].kind].role != Role::closes) ++end;
        if (end == steps.size()) return false;
        const auto place = [&](std::size_t n) {
          return steps.begin() + static_cast<std::ptrdiff_t>(n);
        };
        if (all) {
          steps.erase(place(at), place(end + 1));
        } else {
          steps.erase(place(end));
          steps.erase(place(at));
        }
        return true;
      });
      if (done) return true;
    }
    return false;
  }
  bool simplify_step() {
    for (int Step::* operand : {&Step::w, &Step::v})
      if (anywhere([&](std::vector<Step>& steps, std::size_t at) {
            return std::exchange(steps[at].*operand, 0) != 0;
          }))
        return true;
    return false;
  }

  template <typename Member, typename Value>
  bool set(Member member, Value value) {
    Program simpler = program_;
    simpler.*member = value;
    return accept(std::move(simpler));
  }
  bool simplify_rest() {
    return set(&Program::early, false) || set(&Program::main_works, false) ||
           set(&Program::look, Look::by_words) || set(&Program::when, When::joined) ||
           set(&Program::cxx, false) || set(&Program::level, 1) || set(&Program::inlined, false);
  }

  Program program_;
  const std::function<bool(const Program&)>& still_differs_;
};

}  // namespace

Program shrink(Program program, const std::function<bool(const Program&)>& still_differs) {
  return Shrinker(std::move(program), still_differs).run();
}

}  // namespace heddle::fuzz
