#include "model/access.hpp"

namespace heddle {

ObjectClass class_of(Mode mode) {
  if (mode <= Mode::free) return ObjectClass::memory;
  if (mode <= Mode::unlock) return ObjectClass::mutex;
  if (mode <= Mode::write_unlock) return ObjectClass::rwlock;
  if (mode <= Mode::wake_all) return ObjectClass::condition;
  if (mode <= Mode::sem_post) return ObjectClass::semaphore;
  if (mode <= Mode::leave) return ObjectClass::barrier;
  if (mode <= Mode::joined) return ObjectClass::thread;
  if (mode <= Mode::try_receive_none) return ObjectClass::mailbox;
  return ObjectClass::time;
}

std::string_view name_of(Mode mode) {
  static constexpr std::array<std::string_view, mode_count> names = {"read",
                                                                     "write",
                                                                     "write_in_block",
                                                                     "update",
                                                                     "add",
                                                                     "alloc",
                                                                     "free",
                                                                     "lock",
                                                                     "try_lock",
                                                                     "try_lock_fail",
                                                                     "unlock",
                                                                     "read_lock",
                                                                     "try_read_lock",
                                                                     "try_read_lock_fail",
                                                                     "read_unlock",
                                                                     "write_lock",
                                                                     "try_write_lock",
                                                                     "try_write_lock_fail",
                                                                     "write_unlock",
                                                                     "wait",
                                                                     "signal",
                                                                     "broadcast",
                                                                     "wake",
                                                                     "wake_all",
                                                                     "sem_wait",
                                                                     "sem_try_wait",
                                                                     "sem_try_wait_fail",
                                                                     "sem_post",
                                                                     "arrive",
                                                                     "leave",
                                                                     "create",
                                                                     "join",
                                                                     "joined",
                                                                     "send",
                                                                     "receive",
                                                                     "try_receive",
                                                                     "try_receive_none",
                                                                     "time_out"};
  return names[static_cast<std::size_t>(mode)];
}

}  // namespace heddle
