#include "native/shared_names.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "runtime/abi/naming.h"

namespace heddle::native {

bool Numbering::is_sound() const {
  if (threads.size() >= abi::max_threads) return false;
  std::set<Child> seen;
  for (std::size_t k = 0; k < threads.size(); ++k)
    if (threads[k].creator > k || threads[k].nth >= abi::max_threads ||
        !seen.insert(threads[k]).second)
      return false;
  return true;
}

SharedNames::SharedNames() { map(); }

SharedNames::~SharedNames() { unmap(); }

void SharedNames::map() {
  const int fd = memfd_create("heddle-names", 0);
  if (fd < 0 || ftruncate(fd, static_cast<off_t>(abi::names_bytes)) != 0)
    throw Misuse(std::string("cannot make memory to share with the program: ") +
                 std::strerror(errno));
  void* p = mmap(nullptr, sizeof(abi::Names), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (p == MAP_FAILED) {
    close(fd);
    throw std::bad_alloc();
  }
  fd_ = fd;
  shared_ = static_cast<abi::Names*>(p);  // all zeros, like the file
  ++generation_;
}

void SharedNames::unmap() {
  munmap(shared_, sizeof(abi::Names));
  close(fd_);
}

Numbering SharedNames::shared_numbering() const {
  Numbering out;
  for (std::uint32_t n = 1; n < abi::max_threads; ++n) {
    const std::uint16_t key = shared_->threads.creator[n].load(std::memory_order_acquire);
    if (key == 0) break;
    out.threads.push_back({static_cast<std::uint8_t>((key - 1) / abi::max_threads),
                           static_cast<std::uint8_t>((key - 1) % abi::max_threads)});
  }
  return out;
}

// A numbering can only have become longer.
bool SharedNames::can_be(const Numbering& numbering) const {
  return numbering.is_sound() && numbering.threads.size() >= numbering_.threads.size() &&
         std::equal(numbering_.threads.begin(), numbering_.threads.end(),
                    numbering.threads.begin());
}

const Numbering& SharedNames::numbering() {
  Numbering now = shared_numbering();
  if (can_be(now)) numbering_ = std::move(now);
  return numbering_;
}

void SharedNames::set_numbering(const Numbering& numbering) {
  HEDDLE_CHECK(numbering.is_sound());
  numbering_ = numbering;
  for (auto& key : shared_->threads.creator) key = 0;
  for (std::size_t k = 0; k < numbering.threads.size(); ++k)
    shared_->threads.creator[k + 1] =
        abi::child_key(numbering.threads[k].creator, numbering.threads[k].nth);
}

std::uint8_t SharedNames::called(std::uint64_t number) const {
  constexpr unsigned either = abi::called_directly | abi::called_by_address;
  return number < abi::max_called
             ? static_cast<std::uint8_t>(shared_->calls.called[number] & either)
             : std::uint8_t{0};
}

bool SharedNames::is_intact() const {
  return can_be(shared_numbering()) && steps_.is_in(shared_->steps) &&
         shared_->calls.used <= abi::max_called;
}

void SharedNames::repair() {
  numbering();
  if (is_intact()) return;
  const int old_fd = fd_;
  abi::Names* const old = shared_;
  map();
  set_numbering(Numbering(numbering_));
  steps_.copy_to(shared_->steps);
  shared_->calls.used = std::min<std::uint32_t>(old->calls.used, abi::max_called);
  for (std::size_t k = 0; k < abi::max_modules; ++k)
    shared_->calls.module[k] = old->calls.module[k].load();
  std::ranges::copy(old->calls.called, shared_->calls.called);
  munmap(old, sizeof *old);
  close(old_fd);
}

}  // namespace heddle::native
