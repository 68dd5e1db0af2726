// Sections of a program that are one step: what others see of one is all of it or nothing. Heddle
// has atomic blocks for that. For other tools it is a mutex of the data that the section is about,
// which has the same orders to be explored.
#pragma once

#ifdef HEDDLE
#include <heddle/heddle.h>

typedef char section;
static inline void section_init(section* s) { (void)s; }
static inline void section_begin(section* s) {
  (void)s;
  heddle_atomic_begin();
}
static inline void section_end(section* s) {
  (void)s;
  heddle_atomic_end();
}
#else
#include <pthread.h>

typedef pthread_mutex_t section;
static inline void section_init(section* s) { pthread_mutex_init(s, 0); }
static inline void section_begin(section* s) { pthread_mutex_lock(s); }
static inline void section_end(section* s) { pthread_mutex_unlock(s); }
#endif
