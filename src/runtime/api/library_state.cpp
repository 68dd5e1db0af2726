// What the C library keeps between calls for all threads together. Functions that have a lock for
// it (rand) depend on each other's order; those that have none (strtok, localtime) race.
//
// Each function here reports which state it uses, and continues as the function of the C library.
#include "runtime/api/library_state.hpp"

#include <dlfcn.h>
#include <time.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "runtime/kernel/current.hpp"
#include "runtime/memory/hidden.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/system_code.hpp"

namespace heddle::runtime {
namespace {

struct LibraryState {
  // What races: the manual pages call it MT-Unsafe. Nothing is kept here: these are names.
  Part environment;      // of getenv and setenv
  Part drand48_numbers;  // of drand48 and its kin
  Part options;          // of getopt
  Part hash_table;       // of hsearch
  Part locale;           // of setlocale
  Part locale_numbers;   // of localeconv
  Part conversion;       // of mblen, mbtowc, wctomb and others without a state of their own
  Part users;            // of getpwnam and its kin
  Part groups;
  Part hosts;  // of gethostbyname and its kin
  Part services;
  Part terminal_name;   // of ttyname, ptsname, ctermid
  Part login_name;      // of getlogin, cuserid
  Part temporary_name;  // of tmpnam
  Part digits;          // of ecvt, fcvt
  Part base64;          // of l64a
  Part mounts;          // of getmntent
  Part logins;          // of getutent and its kin
  Part encryption;      // of crypt, encrypt
  Part date_template;   // of getdate
  Part ethernet;        // of ether_ntoa
  // Of a run.
  struct Buffers {
    tm time;
    char text[64];
    char* token;  // what strtok left
  } buffers;
  bool buffers_used;
};
constinit LibraryState library{};

enum class How : std::uint8_t {
  reads,
  writes,
  writes_if_second,     // if the second argument is not null; otherwise it reads
  writes_if_not_first,  // if there is no first argument; otherwise it uses no state
};

struct Row {
  const char* name;
  const Part& state;
  How how;
};

using enum How;

#define HEDDLE_LIBRARY_STATE(ROW)                              \
  ROW(0, rand, hidden.random_numbers, writes)                  \
  ROW(1, srand, hidden.random_numbers, writes)                 \
  ROW(2, random, hidden.random_numbers, writes)                \
  ROW(3, srandom, hidden.random_numbers, writes)               \
  ROW(4, initstate, hidden.random_numbers, writes)             \
  ROW(5, setstate, hidden.random_numbers, writes)              \
  ROW(6, drand48, library.drand48_numbers, writes)             \
  ROW(7, erand48, library.drand48_numbers, reads)              \
  ROW(8, lrand48, library.drand48_numbers, writes)             \
  ROW(9, nrand48, library.drand48_numbers, reads)              \
  ROW(10, mrand48, library.drand48_numbers, writes)            \
  ROW(11, jrand48, library.drand48_numbers, reads)             \
  ROW(12, srand48, library.drand48_numbers, writes)            \
  ROW(13, seed48, library.drand48_numbers, writes)             \
  ROW(14, lcong48, library.drand48_numbers, writes)            \
  ROW(15, getenv, library.environment, reads)                  \
  ROW(16, secure_getenv, library.environment, reads)           \
  ROW(17, setenv, library.environment, writes)                 \
  ROW(18, unsetenv, library.environment, writes)               \
  ROW(19, putenv, library.environment, writes)                 \
  ROW(20, clearenv, library.environment, writes)               \
  ROW(21, getopt, library.options, writes)                     \
  ROW(22, getopt_long, library.options, writes)                \
  ROW(23, getopt_long_only, library.options, writes)           \
  ROW(24, hcreate, library.hash_table, writes)                 \
  ROW(25, hsearch, library.hash_table, writes)                 \
  ROW(26, hdestroy, library.hash_table, writes)                \
  ROW(27, setlocale, library.locale, writes_if_second)         \
  ROW(28, localeconv, library.locale_numbers, writes)          \
  ROW(29, mblen, library.conversion, writes)                   \
  ROW(30, mbtowc, library.conversion, writes)                  \
  ROW(31, wctomb, library.conversion, writes)                  \
  ROW(32, getpwnam, library.users, writes)                     \
  ROW(33, getpwuid, library.users, writes)                     \
  ROW(34, getpwent, library.users, writes)                     \
  ROW(35, setpwent, library.users, writes)                     \
  ROW(36, endpwent, library.users, writes)                     \
  ROW(37, getgrnam, library.groups, writes)                    \
  ROW(38, getgrgid, library.groups, writes)                    \
  ROW(39, getgrent, library.groups, writes)                    \
  ROW(40, setgrent, library.groups, writes)                    \
  ROW(41, endgrent, library.groups, writes)                    \
  ROW(42, gethostbyname, library.hosts, writes)                \
  ROW(43, gethostbyaddr, library.hosts, writes)                \
  ROW(44, gethostent, library.hosts, writes)                   \
  ROW(45, getservbyname, library.services, writes)             \
  ROW(46, getservbyport, library.services, writes)             \
  ROW(47, getprotobyname, library.services, writes)            \
  ROW(48, ttyname, library.terminal_name, writes)              \
  ROW(49, ptsname, library.terminal_name, writes)              \
  ROW(50, getlogin, library.login_name, writes)                \
  ROW(51, tmpnam, library.temporary_name, writes_if_not_first) \
  ROW(52, ecvt, library.digits, writes)                        \
  ROW(53, fcvt, library.digits, writes)                        \
  ROW(54, l64a, library.base64, writes)                        \
  ROW(55, getmntent, library.mounts, writes)                   \
  ROW(56, getutent, library.logins, writes)                    \
  ROW(57, getutxent, library.logins, writes)                   \
  ROW(58, crypt, library.encryption, writes)                   \
  ROW(59, getdate, library.date_template, writes)              \
  ROW(60, ether_ntoa, library.ethernet, writes)                \
  ROW(61, ether_aton, library.ethernet, writes)

#define HEDDLE_ROW(index, name, state, how) {#name, state, how},
constexpr Row rows[] = {HEDDLE_LIBRARY_STATE(HEDDLE_ROW)};
#undef HEDDLE_ROW

void use(const Row& row, const void* first, const void* second) {
  if (row.how == writes_if_not_first && first != nullptr) return;
  const bool looks = row.how == reads || (row.how == writes_if_second && second == nullptr);
  looks ? look_at(row.state) : change(row.state);
}

LibraryState::Buffers& used_buffers() {
  library.buffers_used = true;
  return library.buffers;
}

}  // namespace

const char* user_of_state(std::uint64_t address) {
  const auto is_in = [&](const auto& state) {
    return address - reinterpret_cast<std::uint64_t>(&state) < sizeof state;
  };
  for (const Row& row : rows)
    if (is_in(row.state)) return row.name;
  if (is_in(library.buffers.time)) return "localtime";
  if (is_in(library.buffers.text)) return "asctime";
  return is_in(library.buffers.token) ? "strtok" : nullptr;
}

void clear_library_state() {
  if (library.buffers_used) library.buffers = {};
  library.buffers_used = false;
}
void save_library_state(Savepoint& into) {
  into.undo([](void*, std::uint64_t) { clear_library_state(); }, nullptr, 0);
  if (!library.buffers_used) return;
  into.keep(library.buffers_used);
  into.keep(library.buffers);
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

// Called with the number of a row, the caller of the function, and its first arguments: returns the
// function to continue with.
HEDDLE_EXPORT void* __heddle_use_state(std::size_t number, const void* caller, const void* first,
                                       const void* second) {
  static void* found[std::size(rows)];
  const Row& row = rows[number];
  if (found[number] == nullptr) found[number] = dlsym(RTLD_NEXT, row.name);
  // Never yield while the C library may hold a lock of its own.
  if (is_running() && !is_in_system(caller)) use(row, first, second);
  return found[number];
}

// Preserves all registers that can hold an argument.
asm(R"(
.text
.type heddle_state_function,@function
heddle_state_function:
  .cfi_startproc
  .cfi_adjust_cfa_offset 8
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset rbp, 0
  movq %rsp, %rbp
  .cfi_def_cfa rbp, 24
  pushq %rdi
  pushq %rsi
  pushq %rdx
  pushq %rcx
  pushq %r8
  pushq %r9
  pushq %rax
  subq $40, %rsp
  movsd %xmm0, (%rsp)
  movsd %xmm1, 8(%rsp)
  andq $-16, %rsp
  movq 8(%rbp), %rdi
  movq 16(%rbp), %rsi
  movq -8(%rbp), %rdx
  movq -16(%rbp), %rcx
  call __heddle_use_state@PLT
  movq %rax, %r11
  leaq -96(%rbp), %rsp
  movsd (%rsp), %xmm0
  movsd 8(%rsp), %xmm1
  addq $40, %rsp
  popq %rax
  popq %r9
  popq %r8
  popq %rcx
  popq %rdx
  popq %rsi
  popq %rdi
  popq %rbp
  .cfi_def_cfa rsp, 16
  .cfi_restore rbp
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  jmp *%r11
  .cfi_endproc
.size heddle_state_function, .-heddle_state_function
)");

#define HEDDLE_FUNCTION(index, name, state, how) \
  ".globl " #name                                \
  "\n"                                           \
  ".type " #name ",@function\n" #name            \
  ":\n"                                          \
  "  .cfi_startproc\n"                           \
  "  pushq $" #index                             \
  "\n"                                           \
  "  .cfi_adjust_cfa_offset 8\n"                 \
  "  jmp heddle_state_function\n"                \
  "  .cfi_endproc\n"                             \
  ".size " #name ", .-" #name "\n"
asm(".text\n" HEDDLE_LIBRARY_STATE(HEDDLE_FUNCTION));
#undef HEDDLE_FUNCTION

// These return a pointer to what the next call overwrites.
HEDDLE_EXPORT tm* localtime(const time_t* when) noexcept {
  plain_read(when, sizeof *when);
  plain_write(&library.buffers.time, sizeof library.buffers.time);
  tzset();
  return localtime_r(when, &used_buffers().time);
}
HEDDLE_EXPORT tm* gmtime(const time_t* when) noexcept {
  plain_read(when, sizeof *when);
  plain_write(&library.buffers.time, sizeof library.buffers.time);
  return gmtime_r(when, &used_buffers().time);
}
HEDDLE_EXPORT char* asctime(const tm* when) noexcept {
  plain_read(when, sizeof *when);
  plain_write(library.buffers.text, sizeof library.buffers.text);
  return asctime_r(when, used_buffers().text);
}
HEDDLE_EXPORT char* ctime(const time_t* when) noexcept { return asctime(localtime(when)); }

HEDDLE_EXPORT char* strtok(char* text, const char* separators) noexcept {
  plain_read(separators, std::strlen(separators) + 1);
  plain_write(&library.buffers.token, sizeof library.buffers.token);
  const char* from = text == nullptr ? library.buffers.token : text;
  if (from == nullptr) return nullptr;
  plain_read(from, std::strlen(from) + 1);
  const std::size_t skipped = std::strspn(from, separators);
  const std::size_t length = std::strcspn(from + skipped, separators);
  if (from[skipped + length] != '\0') plain_write(from + skipped + length, 1);
  return strtok_r(text, separators, &used_buffers().token);
}
