#include "native/step_table.hpp"

#include <algorithm>
#include <cstring>

#include "base/hash.hpp"
#include "model/footprint.hpp"

namespace heddle::native {
namespace {

bool is_possible(const abi::WireAccess& access) {
  const std::uint64_t mode = access.object >> abi::mode_shift;
  if (mode >= mode_count) return false;
  return !tells_of_thread(static_cast<Mode>(mode)) || access.a < abi::max_threads;
}

}  // namespace

void StepTable::take_over(const abi::Dictionary& dictionary) {
  const std::size_t end = std::min(dictionary.used, abi::dictionary_words);
  while (words_.size() + abi::step_words <= end) {
    abi::WireStep head;
    std::memcpy(&head, dictionary.words + words_.size(), sizeof head);
    const std::size_t length = abi::step_words + head.access_count * std::size_t{abi::access_words};
    if (head.access_count > abi::max_accesses || words_.size() + length > end ||
        head.varies > static_cast<std::uint8_t>(Varies::choices) ||
        head.valued > std::min(head.access_count, 1U))
      return;
    const std::size_t begin = words_.size();
    const std::uint64_t* from = dictionary.words + begin;
    words_.insert(words_.end(), from, from + length);
    std::memcpy(words_.data() + begin, &head, sizeof head);
    const auto accesses =
        reinterpret_cast<const abi::WireAccess*>(words_.data() + begin + abi::step_words);
    if (!std::all_of(accesses, accesses + head.access_count, is_possible)) {
      words_.resize(begin);
      return;
    }
    begins_.resize(words_.size(), 0);
    begins_[begin] = 1;
    const auto name = static_cast<std::uint32_t>(begin);
    if (head.varies == static_cast<std::uint8_t>(Varies::mode) && head.access_count != 0)
      varying_.emplace(hash_without_use(name), name);
  }
}

std::uint64_t StepTable::hash_without_use(std::uint32_t name) const {
  const std::uint64_t* words = words_.data() + name;
  const auto count = (*this)[name].head.access_count * abi::access_words;
  const std::uint64_t object = words[abi::step_words] & abi::below_mode;
  const auto mode = static_cast<Mode>(words[abi::step_words] >> abi::mode_shift);
  const std::uint32_t use = class_of(mode) == ObjectClass::memory ? 1 : abi::access_words;
  return mix(mix(words[0], object), abi::step_hash(words + abi::step_words + use, count - use));
}

std::uint32_t StepTable::with_use(std::uint32_t name, const Access& use) const {
  const Step step = (*this)[name];
  if (step.accesses.empty()) return 0;
  abi::WireAccess first = step.accesses.front();
  first.object = (first.object & abi::below_mode) | static_cast<std::uint64_t>(use.mode)
                                                        << abi::mode_shift;
  if (class_of(use.mode) != ObjectClass::memory) {  // of memory, this is a value
    first.a = static_cast<std::uint32_t>(use.a);
    first.b = static_cast<std::uint32_t>(use.b);
  }
  const auto same = [&](const Step& other) {
    return std::memcmp(&other.head, &step.head, sizeof step.head) == 0 &&
           std::memcmp(&other.accesses.front(), &first, sizeof first) == 0 &&
           std::memcmp(other.accesses.data() + 1, step.accesses.data() + 1,
                       (step.accesses.size() - 1) * sizeof first) == 0;
  };
  const auto [from, to] = varying_.equal_range(hash_without_use(name));
  for (auto it = from; it != to; ++it)
    if (same((*this)[it->second])) return it->second;
  return 0;
}

void StepTable::copy_to(abi::Dictionary& dictionary) const {
  std::copy(words_.begin(), words_.end(), dictionary.words);
  dictionary.used = static_cast<std::uint32_t>(words_.size());
  for (std::uint32_t name = 1; name < words_.size(); ++name) {
    if (begins_[name] == 0) continue;
    const std::uint32_t length =
        abi::step_words + (*this)[name].head.access_count * abi::access_words;
    std::uint64_t at = abi::step_hash(words_.data() + name, length);
    while (dictionary.slots[at % abi::dictionary_slots] != 0) ++at;
    dictionary.slots[at % abi::dictionary_slots] = name;
    ++dictionary.steps;
  }
}

}  // namespace heddle::native
