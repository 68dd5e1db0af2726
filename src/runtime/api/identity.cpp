#include "runtime/api/identity.hpp"

#include <grp.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <iterator>

#include "runtime/api/uses.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/process.hpp"

namespace heddle::runtime {
namespace {

constexpr const char* for_good =
    "a run gives up rights that cannot be had back for the next (users, groups or limits): "
    "explore it with --isolate fork";

struct Ids {
  uid_t user[3];
  gid_t group[3];
};
constexpr int max_groups = 256;

struct Identity {
  // As it was when main began.
  Ids ids;
  gid_t groups[max_groups];
  long group_count;
  rlimit64 limits[RLIM_NLIMITS];
  // By a run.
  bool ids_changed, limits_changed;
};
constinit Identity identity{};

void restore_ids() {
  const Ids& r = identity.ids;
  system_call(SYS_setresuid, r.user[0], r.user[1], r.user[2]);
  const long groups_back = identity.group_count > max_groups
                               ? 0
                               : system_call(SYS_setgroups, identity.group_count,
                                             reinterpret_cast<long>(identity.groups));
  const long group_back = system_call(SYS_setresgid, r.group[0], r.group[1], r.group[2]);
  Ids now{};
  system_call(SYS_getresuid, reinterpret_cast<long>(now.user), reinterpret_cast<long>(now.user + 1),
              reinterpret_cast<long>(now.user + 2));
  bool same = group_back == 0 && (groups_back == 0 || r.user[1] != 0);
  for (int k = 0; k < 3; ++k) same = same && now.user[k] == r.user[k];
  if (!same) refuse(for_good);
}

void restore_limits() {
  for (unsigned k = 0; k < RLIM_NLIMITS; ++k)
    if (system_call(SYS_prlimit64, 0, k, reinterpret_cast<long>(&identity.limits[k]), 0) != 0)
      refuse(for_good);
}

bool changes_ids(long number) {
  for (const long one : {SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid,
                         SYS_setresgid, SYS_setgroups, SYS_setfsuid, SYS_setfsgid})
    if (one == number) return true;
  return false;
}

// The C library would have each thread of the system make the call: there is only one, however many
// the program has.
int change_ids(long number, long a, long b = 0, long c = 0) {
  const long arguments[] = {a, b, c, 0, 0, 0};
  long result = 0;
  call_on_identity(number, arguments, result);
  return static_cast<int>(result_of(result));
}

int change_limit(int process, unsigned resource, const void* to, void* old) {
  const long arguments[] = {
      process, resource, reinterpret_cast<long>(to), reinterpret_cast<long>(old), 0, 0};
  long result = 0;
  call_on_identity(SYS_prlimit64, arguments, result);
  return static_cast<int>(result_of(result));
}

}  // namespace

void remember_identity() {
  Ids& r = identity.ids;
  const auto at = [](auto* p) { return reinterpret_cast<long>(p); };
  system_call(SYS_getresuid, at(r.user), at(r.user + 1), at(r.user + 2));
  system_call(SYS_getresgid, at(r.group), at(r.group + 1), at(r.group + 2));
  identity.group_count = system_call(SYS_getgroups, max_groups, at(identity.groups));
  for (unsigned k = 0; k < RLIM_NLIMITS; ++k)
    system_call(SYS_prlimit64, 0, k, 0, at(&identity.limits[k]));
}

bool is_identity_as_remembered() { return !identity.ids_changed && !identity.limits_changed; }

void restore_identity() {
  if (identity.ids_changed) restore_ids();
  if (identity.limits_changed) restore_limits();
  identity.ids_changed = identity.limits_changed = false;
}

bool call_on_identity(long number, const long* a, long& result) {
  const bool ids = changes_ids(number);
  const bool limit = number == SYS_setrlimit || (number == SYS_prlimit64 && a[2] != 0);
  if (!ids && !limit && number != SYS_prlimit64) return false;
  if (is_running()) {
    identity.ids_changed = identity.ids_changed || ids;
    identity.limits_changed = identity.limits_changed || limit;
    current().effects.count();
  }
  result = system_call(number, a[0], a[1], a[2], a[3]);
  return true;
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_EXPORT int setuid(uid_t id) noexcept { return change_ids(SYS_setuid, id); }
HEDDLE_EXPORT int setgid(gid_t id) noexcept { return change_ids(SYS_setgid, id); }
HEDDLE_EXPORT int seteuid(uid_t id) noexcept { return change_ids(SYS_setresuid, -1, id, -1); }
HEDDLE_EXPORT int setegid(gid_t id) noexcept { return change_ids(SYS_setresgid, -1, id, -1); }
HEDDLE_EXPORT int setreuid(uid_t real, uid_t effective) noexcept {
  return change_ids(SYS_setreuid, real, effective);
}
HEDDLE_EXPORT int setregid(gid_t real, gid_t effective) noexcept {
  return change_ids(SYS_setregid, real, effective);
}
HEDDLE_EXPORT int setresuid(uid_t real, uid_t effective, uid_t saved) noexcept {
  return change_ids(SYS_setresuid, real, effective, saved);
}
HEDDLE_EXPORT int setresgid(gid_t real, gid_t effective, gid_t saved) noexcept {
  return change_ids(SYS_setresgid, real, effective, saved);
}
HEDDLE_EXPORT int setgroups(std::size_t count, const gid_t* list) noexcept {
  tell<"setgroups">(HEDDLE_CALLED_FROM, count, list);
  return change_ids(SYS_setgroups, static_cast<long>(count), reinterpret_cast<long>(list));
}
HEDDLE_EXPORT int initgroups(const char* user, gid_t group) {
  tell<"initgroups">(HEDDLE_CALLED_FROM, user, group);
  gid_t list[max_groups];
  int count = max_groups;
  getgrouplist(user, group, list, &count);
  return setgroups(static_cast<std::size_t>(count < max_groups ? count : max_groups), list);
}

// (Under other names in C++, as they are declared in several ways.)
#define HEDDLE_LIMIT(name)                                                    \
  HEDDLE_EXPORT int own_##name(unsigned resource, const void* to) asm(#name); \
  int own_##name(unsigned resource, const void* to) {                         \
    tell<#name>(HEDDLE_CALLED_FROM, resource, to);                            \
    return change_limit(0, resource, to, nullptr);                            \
  }
HEDDLE_LIMIT(setrlimit)
HEDDLE_LIMIT(setrlimit64)
#define HEDDLE_PROCESS_LIMIT(name)                                             \
  HEDDLE_EXPORT int own_##name(int process, unsigned resource, const void* to, \
                               void* old) asm(#name);                          \
  int own_##name(int process, unsigned resource, const void* to, void* old) {  \
    tell<#name>(HEDDLE_CALLED_FROM, process, resource, to, old);               \
    return change_limit(process, resource, to, old);                           \
  }
HEDDLE_PROCESS_LIMIT(prlimit)
HEDDLE_PROCESS_LIMIT(prlimit64)
