// For programs under test. Programs need none of this to be explored; it is for those that want to
// say more. Built without heddle (HEDDLE undefined), assumptions and assertions are checked, a
// choice is always 0, and the rest does nothing.
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef HEDDLE

// Only runs in which the condition holds count: a thread stops where it does not hold.
void heddle_assume(int condition);

// Like assert, but not switched off by NDEBUG.
#define heddle_assert(condition) \
  ((condition) ? (void)0 : heddle_fail_assertion(#condition, __FILE__, __LINE__, __func__))
void heddle_fail_assertion(const char* condition, const char* file, unsigned line,
                           const char* function) __attribute__((noreturn));

// Some number from 0 to n - 1: each is explored.
unsigned heddle_choose(unsigned n);

// What is between these is one step: no other thread runs in between. Blocks may be nested and may
// choose; they must not wait, and must make their assumptions before they change anything.
void heddle_atomic_begin(void);
void heddle_atomic_end(void);

// The thread lets other threads run: a hint for the first schedule, never a restriction.
void heddle_yield(void);

// Before a function, a member function or, after its parameters, a lambda: data races of its own
// accesses are intended, and are not findings. What they lead to is explored all the same.
#define HEDDLE_BENIGN_RACES __attribute__((annotate("heddle benign races")))

// The result of this run, for the list of all results that the program can have (heddle run
// --outcomes). To be called once in a run, by a thread that knows it: mostly main, after it has
// joined the other threads.
void heddle_outcome(unsigned long long value);

#else
#include <assert.h>
#include <stdlib.h>

static inline void heddle_assume(int condition) {
  if (!condition) exit(0);
}
#define heddle_assert(condition) assert(condition)
static inline unsigned heddle_choose(unsigned n) { return (void)n, 0; }
static inline void heddle_atomic_begin(void) {}
static inline void heddle_atomic_end(void) {}
static inline void heddle_yield(void) {}
static inline void heddle_outcome(unsigned long long value) { (void)value; }
#define HEDDLE_BENIGN_RACES
#endif

#ifdef __cplusplus
}
#endif

#endif  // HEDDLE_HEDDLE_H
