#include "native/step_table.hpp"

#include <algorithm>
#include <cstring>

#include "base/check.hpp"
#include "model/footprint.hpp"
#include "runtime/abi/naming.h"

namespace heddle::native {
namespace {

bool is_possible(const abi::WireAccess& access) {
  if (abi::mode_bits(access) >= mode_count) return false;
  return !tells_of_thread(static_cast<Mode>(abi::mode_bits(access))) || access.a < abi::max_threads;
}

bool is_possible(const abi::WireStep& head) {
  return head.access_count <= abi::max_accesses &&
         head.varies <= static_cast<std::uint8_t>(Varies::choices) &&
         head.valued <= std::min(head.access_count, 1U);
}

}  // namespace

bool StepTable::take_over(std::uint32_t name, const abi::Dictionary& dictionary) {
  if (name == 0 || name > abi::dictionary_words - abi::step_words) return false;
  abi::WireStep head;
  std::memcpy(&head, dictionary.words + name, sizeof head);
  if (!is_possible(head)) return false;
  const std::uint32_t length = abi::step_words + head.access_count * abi::access_words;
  if (length > abi::dictionary_words - name) return false;
  std::vector<std::uint64_t>& copy = draft_;
  copy.assign(dictionary.words + name, dictionary.words + name + length);
  std::memcpy(copy.data(), &head, sizeof head);
  const auto* accesses = reinterpret_cast<const abi::WireAccess*>(copy.data() + abi::step_words);
  // A step that a worker has named can be found by its contents.
  if (!std::all_of(accesses, accesses + head.access_count,
                   [](const abi::WireAccess& a) { return is_possible(a); }) ||
      abi::find_step(dictionary, copy.data(), length) != name)
    return false;
  if (words_.size() < name + length) {
    words_.resize(name + length);
    begins_.resize(name + length);
  }
  // If it overlaps with a known step, one of the two is not a step.
  const auto from = words_.begin() + name;
  if (std::any_of(from, from + length, [](std::uint64_t word) { return word != 0; })) return false;
  std::ranges::copy(copy, from);
  begins_[name] = 1;
  HEDDLE_CHECK(begins_.size() == words_.size());
  return true;
}

std::span<const std::uint64_t> StepTable::words_of(std::uint32_t name) const {
  return std::span(words_).subspan(
      name, abi::step_words + (*this)[name].head.access_count * std::size_t{abi::access_words});
}

std::uint32_t StepTable::with_use(std::uint32_t name, const Access& use,
                                  const abi::Dictionary& dictionary) {
  const Step step = (*this)[name];
  if (step.accesses.empty() || step.head.varies != static_cast<std::uint8_t>(Varies::mode))
    return 0;
  abi::WireAccess first = step.accesses.front();
  first.object = abi::with_mode(first.object, static_cast<std::uint8_t>(use.mode));
  if (class_of(use.mode) != ObjectClass::memory) {  // for memory, a and b are a value
    first.a = static_cast<std::uint32_t>(use.a);
    first.b = static_cast<std::uint32_t>(use.b);
  }
  const std::span<const std::uint64_t> words = words_of(name);
  draft_.assign(words.begin(), words.end());
  std::memcpy(draft_.data() + abi::step_words, &first, sizeof first);
  const std::uint32_t found =
      abi::find_step(dictionary, draft_.data(), static_cast<std::uint32_t>(draft_.size()));
  return found != 0 && has(found, dictionary) ? found : 0;
}

template <typename Visit>
void StepTable::for_steps(Visit visit) const {
  for (std::uint32_t name = 1; name < begins_.size(); ++name)
    if (begins_[name] != 0) visit(name, words_of(name));
}

bool StepTable::is_in(const abi::Dictionary& dictionary) const {
  bool all = true;
  for_steps([&](std::uint32_t name, std::span<const std::uint64_t> words) {
    all = all && abi::find_step(dictionary, words.data(),
                                static_cast<std::uint32_t>(words.size())) == name;
  });
  return all;
}

void StepTable::copy_to(abi::Dictionary& dictionary) const {
  HEDDLE_CHECK(dictionary.used == 0 && dictionary.steps == 0);
  std::ranges::copy(words_, dictionary.words);
  dictionary.used = static_cast<std::uint32_t>(words_.size() - 1);
  for_steps([&](std::uint32_t name, std::span<const std::uint64_t> words) {
    abi::put_step(dictionary, name, words.data(), static_cast<std::uint32_t>(words.size()));
  });
}

}  // namespace heddle::native
