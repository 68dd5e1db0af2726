#include "model/access.hpp"

namespace heddle {
namespace {

struct Row {
  Mode mode;
  std::string_view name;
  ObjectClass kind;
};

// By mode.
constexpr std::array<Row, mode_count> rows = {{
    {Mode::read, "read", ObjectClass::memory},
    {Mode::write, "write", ObjectClass::memory},
    {Mode::write_in_block, "write_in_block", ObjectClass::memory},
    {Mode::update, "update", ObjectClass::memory},
    {Mode::add, "add", ObjectClass::memory},
    {Mode::alloc, "alloc", ObjectClass::memory},
    {Mode::free, "free", ObjectClass::memory},
    {Mode::lock, "lock", ObjectClass::mutex},
    {Mode::try_lock, "try_lock", ObjectClass::mutex},
    {Mode::try_lock_fail, "try_lock_fail", ObjectClass::mutex},
    {Mode::unlock, "unlock", ObjectClass::mutex},
    {Mode::read_lock, "read_lock", ObjectClass::rwlock},
    {Mode::try_read_lock, "try_read_lock", ObjectClass::rwlock},
    {Mode::try_read_lock_fail, "try_read_lock_fail", ObjectClass::rwlock},
    {Mode::read_unlock, "read_unlock", ObjectClass::rwlock},
    {Mode::write_lock, "write_lock", ObjectClass::rwlock},
    {Mode::try_write_lock, "try_write_lock", ObjectClass::rwlock},
    {Mode::try_write_lock_fail, "try_write_lock_fail", ObjectClass::rwlock},
    {Mode::write_unlock, "write_unlock", ObjectClass::rwlock},
    {Mode::wait, "wait", ObjectClass::condition},
    {Mode::signal, "signal", ObjectClass::condition},
    {Mode::broadcast, "broadcast", ObjectClass::condition},
    {Mode::wake, "wake", ObjectClass::condition},
    {Mode::wake_all, "wake_all", ObjectClass::condition},
    {Mode::sem_wait, "sem_wait", ObjectClass::semaphore},
    {Mode::sem_try_wait, "sem_try_wait", ObjectClass::semaphore},
    {Mode::sem_try_wait_fail, "sem_try_wait_fail", ObjectClass::semaphore},
    {Mode::sem_post, "sem_post", ObjectClass::semaphore},
    {Mode::arrive, "arrive", ObjectClass::barrier},
    {Mode::leave, "leave", ObjectClass::barrier},
    {Mode::create, "create", ObjectClass::thread},
    {Mode::join, "join", ObjectClass::thread},
    {Mode::joined, "joined", ObjectClass::thread},
    {Mode::send, "send", ObjectClass::mailbox},
    {Mode::receive, "receive", ObjectClass::mailbox},
    {Mode::try_receive, "try_receive", ObjectClass::mailbox},
    {Mode::try_receive_none, "try_receive_none", ObjectClass::mailbox},
    {Mode::time_out, "time_out", ObjectClass::time},
}};

constexpr bool rows_are_by_mode() {
  for (std::size_t k = 0; k < mode_count; ++k)
    if (rows[k].mode != static_cast<Mode>(k) || rows[k].name.empty()) return false;
  return true;
}
static_assert(rows_are_by_mode());

}  // namespace

ObjectClass class_of(Mode mode) { return rows[static_cast<std::size_t>(mode)].kind; }
std::string_view name_of(Mode mode) { return rows[static_cast<std::size_t>(mode)].name; }

}  // namespace heddle
