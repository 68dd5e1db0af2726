#include "native/step_table.hpp"

#include <algorithm>
#include <cstring>

#include "model/access.hpp"
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
        head.varies > static_cast<std::uint8_t>(Varies::anything))
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
  }
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
