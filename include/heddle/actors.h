// Processes and their mailboxes, for C; <heddle/actors.hpp> is the same for C++.
//
// A process is a thread with a mailbox. Any thread is one: those that heddle_spawn starts, main,
// and each that calls heddle_self. A message has bytes and a tag. A receive takes the oldest
// message that one of its patterns fits; the others stay where they are, in their order.
//
// Built by heddle, sends and receives are steps of the exploration. Built by any other compiler,
// they are done with threads of POSIX (link with -pthread).
#ifndef HEDDLE_ACTORS_H
#define HEDDLE_ACTORS_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// One for all files of the program, though each includes this.
#define HEDDLE_ACTORS_SHARED __attribute__((weak))
// What it does is a step of its caller: reports show where that is.
#define HEDDLE_ACTORS_CALL static inline __attribute__((always_inline))

#ifdef __cplusplus
extern "C" {
#endif

// Names a process, also after its end; 0 names none.
typedef uint64_t heddle_process;

// What sort of message it is: compared by address. Those of plain bytes have none.
typedef struct heddle_kind {
  const char* name;
  size_t size;
  void (*destroy)(void* data);  // or null
  size_t quiet;                 // it need not be received
} heddle_kind;

// Its data follows.
typedef struct heddle_message {
  struct heddle_message* next;
  const heddle_kind* kind;
  uint64_t tag;
  heddle_process sender;
  uint64_t size;
  uint32_t number, pattern;
  const void* site;
} __attribute__((aligned(16))) heddle_message;

typedef struct heddle_pattern {
  const heddle_kind* kind;  // null: plain bytes
  uint64_t tag;
  uint32_t any_kind, any_tag;
  // If not null, asked whether to accept a message that fits so far. It must only look: what it
  // needs is to be in `context` or in the message. Negative: it has failed.
  int (*accepts)(void* context, const heddle_message* message);
  void* context;
} heddle_pattern;

// How a process has ended: the data of the messages of links and monitors.
typedef struct heddle_ended {
  heddle_process process;
  uint64_t reference;  // of the monitor; 0 of a link
  int reason;          // 0: it returned
  char text[44];
} heddle_ended;
enum { heddle_normal = 0, heddle_no_process = -1, heddle_exception = -2 };

extern HEDDLE_ACTORS_SHARED const heddle_kind heddle_kind_exit, heddle_kind_exit_normal,
    heddle_kind_down;
const heddle_kind heddle_kind_exit = {"exit", sizeof(heddle_ended), NULL, 1};
const heddle_kind heddle_kind_exit_normal = {"normal exit", sizeof(heddle_ended), NULL, 1};
const heddle_kind heddle_kind_down = {"down", sizeof(heddle_ended), NULL, 1};

struct heddle_watcher_ {
  struct heddle_watcher_* next;
  heddle_process watcher;
  uint64_t reference;
  int link;
};

// What each process has to itself.
struct heddle_own_ {
  int traps_exits, has_ended;
  uint64_t references;
  uint64_t name;  // the number of its slot, + 1
};

#ifdef HEDDLE

// The runtime has these. A negative time means no limit; 0, not to wait.
heddle_process heddle_self(void);
void heddle_join(heddle_process process);
heddle_process heddle_start_(void* (*function)(void*), void* argument);
void heddle_post_(heddle_process to, heddle_message* message);
heddle_message* heddle_take_(const heddle_pattern* patterns, uint32_t count, int64_t nanoseconds,
                             uint32_t* which);
void heddle_close_(void);

enum { heddle_most_processes_ = 1025 };
extern struct heddle_watcher_* heddle_watchers_[heddle_most_processes_];
HEDDLE_ACTORS_SHARED struct heddle_watcher_* heddle_watchers_[heddle_most_processes_];
extern struct heddle_own_ heddle_owns_[heddle_most_processes_];
HEDDLE_ACTORS_SHARED struct heddle_own_ heddle_owns_[heddle_most_processes_];

static inline struct heddle_own_* heddle_own_state_(void) { return &heddle_owns_[heddle_self()]; }

// 0: the process has ended.
static inline int heddle_watch_(heddle_process p, struct heddle_watcher_* w) {
  struct heddle_watcher_* first = __atomic_load_n(&heddle_watchers_[p], __ATOMIC_ACQUIRE);
  do {
    if (first == (struct heddle_watcher_*)1) return 0;
    w->next = first;
  } while (!__atomic_compare_exchange_n(&heddle_watchers_[p], &first, w, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE));
  return 1;
}
static inline struct heddle_watcher_* heddle_end_watch_(void) {
  heddle_close_();
  return __atomic_exchange_n(&heddle_watchers_[heddle_self()], (struct heddle_watcher_*)1,
                             __ATOMIC_ACQ_REL);
}

#else
#include <heddle/actors_threads.h>
#endif

// --- messages

static inline void* heddle_data(const heddle_message* m) { return (void*)(m + 1); }

static inline heddle_message* heddle_new_message(const heddle_kind* kind, uint64_t tag,
                                                 size_t size) {
  heddle_message* m = (heddle_message*)malloc(sizeof(heddle_message) + size);
  if (m == NULL) abort();
  memset(m, 0, sizeof *m);
  m->kind = kind;
  m->tag = tag;
  m->size = size;
  return m;
}
static inline void heddle_free_message(heddle_message* m) {
  if (m == NULL) return;
  if (m->kind != NULL && m->kind->destroy != NULL) m->kind->destroy(heddle_data(m));
  free(m);
}

// From here on, the message belongs to the process that receives it.
HEDDLE_ACTORS_CALL void heddle_send_message(heddle_process to, heddle_message* m) {
  m->sender = heddle_self();
  heddle_post_(to, m);
}
// A copy of these bytes.
HEDDLE_ACTORS_CALL void heddle_send(heddle_process to, uint64_t tag, const void* data,
                                    size_t size) {
  heddle_message* m = heddle_new_message(NULL, tag, size);
  if (size != 0) memcpy(heddle_data(m), data, size);
  heddle_send_message(to, m);
}

// --- ends of processes

static inline void heddle_tell_end_(const struct heddle_watcher_* w, heddle_process process,
                                    int reason, const char* text) {
  heddle_message* m = heddle_new_message(w->link == 0  ? &heddle_kind_down
                                         : reason == 0 ? &heddle_kind_exit_normal
                                                       : &heddle_kind_exit,
                                         0, sizeof(heddle_ended));
  heddle_ended* e = (heddle_ended*)heddle_data(m);
  memset(e, 0, sizeof *e);
  e->process = process;
  e->reference = w->reference;
  e->reason = reason;
  if (text != NULL) strncpy(e->text, text, sizeof e->text - 1);
  heddle_send_message(w->watcher, m);
}

static inline void heddle_unregister_(struct heddle_own_* own);

// Of the calling process. Returns how many were told of it.
static inline unsigned heddle_end_process_(int reason, const char* text) {
  struct heddle_own_* own = heddle_own_state_();
  if (own->has_ended) return 0;
  own->has_ended = 1;
  heddle_unregister_(own);
  const heddle_process self = heddle_self();
  struct heddle_watcher_ *list = heddle_end_watch_(), *oldest = NULL;
  while (list != NULL) {  // in the order in which they came
    struct heddle_watcher_* next = list->next;
    list->next = oldest;
    oldest = list;
    list = next;
  }
  unsigned told = 0;
  for (; oldest != NULL; ++told) {
    struct heddle_watcher_* next = oldest->next;
    heddle_tell_end_(oldest, self, reason, text);
    free(oldest);
    oldest = next;
  }
  return told;
}

// The calling process ends, for this reason: 0 is as if it returned.
static inline __attribute__((noreturn)) void heddle_exit(int reason) {
  heddle_end_process_(reason, "");
  pthread_exit(NULL);
}

struct heddle_start_of_ {
  void (*function)(void*);
  void* argument;
};
static inline void* heddle_run_process_(void* from) {
  const struct heddle_start_of_ start = *(struct heddle_start_of_*)from;
  free(from);
  start.function(start.argument);
  heddle_end_process_(heddle_normal, "");
  return NULL;
}
HEDDLE_ACTORS_CALL heddle_process heddle_spawn(void (*function)(void*), void* argument) {
  struct heddle_start_of_* start = (struct heddle_start_of_*)malloc(sizeof *start);
  if (start == NULL) abort();
  start->function = function;
  start->argument = argument;
  return heddle_start_(heddle_run_process_, start);
}

// --- receiving

enum { heddle_most_patterns_ = 64 };

// The oldest message that one of the patterns fits, and which (if not null); null if the time is
// over. It is the caller's now: heddle_free_message.
//
// If a process that the caller is linked to ends, and not by returning, the caller ends in its next
// receive, for the same reason; unless it traps exits: then it can receive that as a message.
HEDDLE_ACTORS_CALL heddle_message* heddle_receive_message(const heddle_pattern* patterns,
                                                          uint32_t count, int64_t nanoseconds,
                                                          uint32_t* which) {
  uint32_t found = 0;
  if (heddle_own_state_()->traps_exits) {
    heddle_message* m = heddle_take_(patterns, count, nanoseconds, &found);
    if (which != NULL) *which = found;
    return m;
  }
  heddle_pattern all[heddle_most_patterns_ + 1];
  if (count > heddle_most_patterns_) abort();
  for (uint32_t k = 0; k < count; ++k) all[k] = patterns[k];
  memset(&all[count], 0, sizeof all[count]);
  all[count].kind = &heddle_kind_exit;
  all[count].any_tag = 1;
  heddle_message* m = heddle_take_(all, count + 1, nanoseconds, &found);
  if (m != NULL && m->kind == &heddle_kind_exit) {
    const heddle_ended e = *(heddle_ended*)heddle_data(m);
    heddle_free_message(m);
    heddle_end_process_(e.reason, e.text);
    pthread_exit(NULL);
  }
  if (which != NULL) *which = found;
  return m;
}
static inline heddle_pattern heddle_any(void) {
  heddle_pattern p;
  memset(&p, 0, sizeof p);
  p.any_kind = p.any_tag = 1;
  return p;
}
static inline heddle_pattern heddle_tagged(uint64_t tag) {
  heddle_pattern p = heddle_any();
  p.any_kind = p.any_tag = 0;
  p.tag = tag;
  return p;
}
// Plain bytes with this tag.
HEDDLE_ACTORS_CALL heddle_message* heddle_receive(uint64_t tag) {
  const heddle_pattern p = heddle_tagged(tag);
  return heddle_receive_message(&p, 1, -1, NULL);
}
HEDDLE_ACTORS_CALL heddle_message* heddle_try_receive(uint64_t tag) {
  const heddle_pattern p = heddle_tagged(tag);
  return heddle_receive_message(&p, 1, 0, NULL);
}

// --- links, monitors, names

static inline struct heddle_watcher_* heddle_new_watcher_(heddle_process who, int link) {
  struct heddle_watcher_* w = (struct heddle_watcher_*)malloc(sizeof *w);
  if (w == NULL) abort();
  w->next = NULL;
  w->watcher = who;
  w->reference = link ? 0 : ++heddle_own_state_()->references;
  w->link = link;
  return w;
}

// The caller gets a message of heddle_kind_down when the process ends, or at once if it has.
// Returns the reference in that message.
HEDDLE_ACTORS_CALL uint64_t heddle_monitor(heddle_process process) {
  struct heddle_watcher_* w = heddle_new_watcher_(heddle_self(), 0);
  const uint64_t reference = w->reference;
  if (heddle_watch_(process, w)) return reference;
  heddle_tell_end_(w, process, heddle_no_process, "no such process");
  free(w);
  return reference;
}

// If one of the two ends, the other is told.
HEDDLE_ACTORS_CALL void heddle_link(heddle_process process) {
  const heddle_process self = heddle_self();
  if (process == self) return;
  struct heddle_watcher_* other = heddle_new_watcher_(process, 1);
  if (!heddle_watch_(self, other)) free(other);
  struct heddle_watcher_* w = heddle_new_watcher_(self, 1);
  if (heddle_watch_(process, w)) return;
  heddle_tell_end_(w, process, heddle_no_process, "no such process");
  free(w);
}
static inline void heddle_trap_exits(int traps) { heddle_own_state_()->traps_exits = traps; }

enum { heddle_most_names_ = 1024 };
struct heddle_name_ {
  const char* name;
  heddle_process process;
};
extern struct heddle_name_ heddle_names_[heddle_most_names_];
HEDDLE_ACTORS_SHARED struct heddle_name_ heddle_names_[heddle_most_names_];

HEDDLE_ACTORS_CALL struct heddle_name_* heddle_slot_of_(const char* name, int make) {
  uint64_t at = 0xcbf29ce484222325;
  for (const char* c = name; *c != 0; ++c) at = (at ^ (unsigned char)*c) * 0x100000001b3;
  char* copy = NULL;
  for (unsigned k = 0; k < heddle_most_names_; ++k, ++at) {
    struct heddle_name_* slot = &heddle_names_[at % heddle_most_names_];
    const char* there = __atomic_load_n(&slot->name, __ATOMIC_ACQUIRE);
    if (there == NULL && !make) return NULL;
    if (there == NULL) {
      if (copy == NULL) copy = strdup(name);
      if (copy == NULL) abort();
      if (__atomic_compare_exchange_n(&slot->name, &there, (const char*)copy, 0, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE))
        return slot;
    }
    if (strcmp(there, name) == 0) {
      free(copy);
      return slot;
    }
  }
  free(copy);
  return NULL;
}

// The caller has this name until it ends. 0: another process has it, the caller has one already, or
// there are 1024 of them.
HEDDLE_ACTORS_CALL int heddle_register(const char* name) {
  struct heddle_own_* own = heddle_own_state_();
  struct heddle_name_* slot = own->name != 0 ? NULL : heddle_slot_of_(name, 1);
  if (slot == NULL) return 0;
  heddle_process none = 0;
  if (!__atomic_compare_exchange_n(&slot->process, &none, heddle_self(), 0, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE))
    return 0;
  own->name = (uint64_t)(slot - heddle_names_) + 1;
  return 1;
}
// 0: no process has it now.
HEDDLE_ACTORS_CALL heddle_process heddle_whereis(const char* name) {
  const struct heddle_name_* slot = heddle_slot_of_(name, 0);
  return slot == NULL ? 0 : __atomic_load_n(&slot->process, __ATOMIC_ACQUIRE);
}
static inline void heddle_unregister_(struct heddle_own_* own) {
  if (own->name == 0) return;
  __atomic_store_n(&heddle_names_[own->name - 1].process, (heddle_process)0, __ATOMIC_RELEASE);
  own->name = 0;
}
// 0: no process has this name.
HEDDLE_ACTORS_CALL int heddle_send_to(const char* name, uint64_t tag, const void* data,
                                      size_t size) {
  const heddle_process to = heddle_whereis(name);
  if (to != 0) heddle_send(to, tag, data, size);
  return to != 0;
}

#ifdef __cplusplus
}
#endif

#endif  // HEDDLE_ACTORS_H
