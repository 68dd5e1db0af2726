#include "fuzz/generate.hpp"

#include <algorithm>

namespace heddle::fuzz {
namespace {

constexpr std::string_view every_lock = "mrewsfl";

constexpr Shape table[] = {
    {"atomics", "", "a"},
    {"waiting with locks", every_lock, "", false, every_lock, "a"},
    {"sizes", "a", "q"},
    {"waiting for atomics", "aq", "", false, "a", "mrewsflq"},
    {"locks", every_lock, "a"},
    {"waiting with locks and atomics", "", "", false, every_lock, "q", "a"},
    {"conditions", "rna", "mc"},
    {"waiting for wide atomics", "", "", false, "q"},
    {"semaphores and barriers", "ma", "nb"},
    {"waiting", "aqmrewsflnco", "", false, "aqmrewsflno"},
    {"messages", "a", "p"},
    {"time limits", "mrewlncp", "a", true},
    {"threads", "otyhgzia", "a"},
    // Again: what a round does is hardest to tell where it does several things.
    {"waiting with locks and atomics", "", "", false, every_lock, "q", "a"},
    {"waiting in time", "mnlc", "a", true, "aqmrewsflno"},
    {"library", "xhz", "m"},
    {"mixed", "aqmrewsflcnbotyhxzgip", "a"},
};

bool within(const std::string& uses, const std::string& objects) {
  return std::ranges::all_of(uses, [&](char c) { return objects.find(c) != std::string::npos; });
}

bool has_any(const std::string& uses, std::string_view of) {
  return uses.find_first_of(of) != std::string::npos;
}

// What is most likely to see what others do, and to do what others see.
constexpr std::string_view telling[] = {"load",    "exchange",   "store", "load16",
                                        "store16", "exchange16", "load8", "store4"};

// The same of each object by itself, for a thread that does one and the other in turn. Of locks,
// the names end so.
constexpr std::string_view looking[] = {"load", "load16", "load8", "exchange", "_try", "_tries"};
constexpr std::string_view acting[] = {"store", "store16", "exchange16", "_set", "_pass", "_post"};

std::vector<std::size_t> named(std::span<const std::string_view> names,
                               const std::string& within_) {
  std::vector<std::size_t> out;
  for (std::size_t n = 0; n < kinds().size(); ++n) {
    const Kind& k = kinds()[n];
    if (k.role != Role::step || k.cxx || k.timed || !within(k.uses, within_)) continue;
    if (std::ranges::any_of(names, [&](std::string_view name) {
          return name[0] == '_' ? k.name.ends_with(name) : k.name == name;
        }))
      out.push_back(n);
  }
  return out;
}

class Generator {
 public:
  Generator(const Shape& shape, std::uint64_t seed)
      : shape_(shape), random_(seed), waits_(!shape.waits_for.empty()) {}

  Program make() {
    program_.cxx = random_.chance(0.1);
    program_.alone = random_.chance(0.06);
    program_.inlined = random_.chance(0.5);
    program_.level = random_.chance(0.8) ? 1 : 2;
    largest_ = random_.chance(0.6) ? 1 : 2;
    choose_objects();
    choose_kinds();
    one_k_ = random_.chance(0.6);
    if (waits_)
      fill_waiting();
    else
      fill();
    if (!program_.early) program_.main_works = random_.chance(0.25);
    choose_look();
    return std::move(program_);
  }

 private:
  // Of a wait, those that it uses; sometimes another, that has nothing to do with it.
  void choose_objects() {
    objects_ = shape_.all;
    if (waits_) choose_wait();
    if (shape_.some.empty()) return;
    const int most = waits_ ? random_.between(0, 1) : random_.between(1, 2);
    for (int n = 0; n < most; ++n) objects_ += shape_.some[random_.below(shape_.some.size())];
  }

  void choose_wait() {
    std::vector<std::size_t> all;
    for (std::size_t n = 0; n < kinds().size(); ++n) {
      const Kind& k = kinds()[n];
      if (k.role == Role::waits && has_any(k.uses, shape_.waits_for) &&
          !has_any(k.uses, shape_.not_for) &&
          (shape_.and_for.empty() || has_any(k.uses, shape_.and_for)))
        all.push_back(n);
    }
    wait_ = {all[random_.below(all.size())], random_.between(0, 1), 0, operand()};
    wait_.v = kinds()[wait_.kind].partner == "go" ? operand() : random_.between(1, 2);
    objects_ += kinds()[wait_.kind].uses;
  }

  // A few of those that there could be: what they do to each other is then tried thoroughly.
  void choose_kinds() {
    std::vector<std::size_t> all;
    for (std::size_t n = 0; n < kinds().size(); ++n) {
      const Kind& k = kinds()[n];
      if (k.role != Role::step || !within(k.uses, objects_) || (k.cxx && !program_.cxx)) continue;
      if (k.timed && !shape_.timed) continue;
      all.push_back(n);
    }
    const int most = random_.between(2, 6);
    for (int n = 0; n < most; ++n) chosen_.push_back(all[random_.below(all.size())]);
    if (shape_.timed) choose_timed(all);
    if (!random_.chance(0.6)) return;
    for (const std::string_view name : telling)
      if (const std::size_t n = kind_named(name);
          within(kinds()[n].uses, objects_) && random_.chance(0.7))
        chosen_.insert(chosen_.end(), 2, n);
  }

  void choose_timed(const std::vector<std::size_t>& all) {
    std::vector<std::size_t> timed;
    for (const std::size_t n : all)
      if (kinds()[n].timed) timed.push_back(n);
    if (!timed.empty()) chosen_.push_back(timed[random_.below(timed.size())]);
  }

  Step any() {
    return {chosen_[random_.below(chosen_.size())],
            waits_ ? (random_.chance(0.75) ? wait_.k : 1 - wait_.k)
                   : (one_k_ ? 0 : random_.between(0, 1)),
            operand(), operand()};
  }
  int operand() { return random_.between(0, largest_); }

  std::vector<Step> some(int least, int most) {
    std::vector<Step> out;
    for (int n = random_.between(least, most); n > 0; --n) out.push_back(any());
    return out;
  }

  // Takes a lock before some of the steps and gives it back behind them, if they do not use it.
  void maybe_enclose(std::vector<Step>& steps) {
    std::vector<std::size_t> opening;
    for (std::size_t n = 0; n < kinds().size(); ++n)
      if (kinds()[n].role == Role::opens && within(kinds()[n].uses, objects_)) opening.push_back(n);
    if (opening.empty() || !random_.chance(waits_ ? 0.6 : 0.4)) return;
    const std::size_t kind = opening[random_.below(opening.size())];
    const char lock = kinds()[kind].uses[0];
    const auto free = [&](const Step& s) {
      return kinds()[s.kind].uses.find(lock) == std::string::npos;
    };
    const std::size_t from = random_.chance(0.4) ? 0 : random_.below(steps.size() + 1);
    std::size_t to = from;
    while (to < steps.size() && free(steps[to]) && (to == from || random_.chance(0.6))) ++to;
    const int k = waits_ ? wait_.k : 0;
    const auto at = [&](std::size_t n) { return steps.begin() + static_cast<std::ptrdiff_t>(n); };
    steps.insert(at(to), {kind_named(kinds()[kind].partner), k, 0, 0});
    steps.insert(at(from), {kind, k, 0, 0});
  }

  // Looks at what the loop does, and undoes it: whether it is done again, the next look tells.
  std::vector<Step> watch() {
    const std::string& uses = kinds()[wait_.kind].uses;
    const std::string object(1, uses[random_.below(uses.size())]);
    const std::vector<std::size_t> looks = named(looking, object), acts = named(acting, object);
    if (looks.empty() || acts.empty()) return some(1, 4);
    bool look = random_.chance(0.7);
    std::vector<Step> out;
    for (int n = random_.between(2, 4); n > 0; --n, look = !look) {
      const std::vector<std::size_t>& from = look ? looks : acts;
      const bool undo = !look && random_.chance(0.5);
      out.push_back(
          {from[random_.below(from.size())], wait_.k, undo ? 0 : operand(), undo ? 0 : operand()});
    }
    return out;
  }

  void fill() {
    const int threads = random_.chance(0.65) ? 2 : 3;
    const int most = threads == 2 ? 4 : 2;
    for (int n = 0; n < threads; ++n) {
      program_.threads.push_back(some(1, most));
      maybe_enclose(program_.threads.back());
    }
  }

  // One waits, and another does things, and then what lets it continue.
  void fill_waiting() {
    std::vector<Step> waiter = some(0, 1), other = random_.chance(0.5) ? watch() : some(1, 4);
    waiter.push_back(wait_);
    if (random_.chance(0.4)) waiter.push_back(any());
    maybe_enclose(other);
    if (const std::string& partner = kinds()[wait_.kind].partner; !partner.empty()) {
      const Step release = {kind_named(partner), wait_.k, wait_.v, wait_.w};
      other.push_back(release);
      if (random_.chance(0.2)) other.push_back(any());
    }
    program_.threads = {std::move(waiter), std::move(other)};
    const bool opens = kinds()[program_.threads[1][0].kind].role == Role::opens;
    if (opens && random_.chance(0.5)) {  // main, which has taken the lock before there are others
      program_.main_works = program_.early = true;
      return;
    }
    if (random_.chance(0.1)) program_.threads.push_back(some(1, 2));
    if (random_.chance(0.5)) std::swap(program_.threads[0], program_.threads[1]);
  }

  void choose_look() {
    if (random_.chance(0.5))
      program_.look = static_cast<Look>(
          random_.below(program_.cxx ? std::size_t{looks_in_cxx} : std::size_t{looks_in_c}));
    if (random_.chance(0.4)) program_.when = static_cast<When>(random_.below(whens));
    if (uses(program_, 'g')) program_.when = When::at_exit;  // else it is not seen
  }

  const Shape& shape_;
  Random random_;
  bool waits_;
  int largest_ = 1;  // operand
  Program program_;
  std::string objects_;
  std::vector<std::size_t> chosen_;
  Step wait_{};
  bool one_k_ = false;
};

}  // namespace

std::span<const Shape> shapes() { return table; }

Program generate(const Shape& shape, std::uint64_t seed) { return Generator(shape, seed).make(); }

}  // namespace heddle::fuzz
