// Loops that wait for what other threads do to atomic memory, and for semaphores.
#include "fuzz/kinds_tables.hpp"

namespace heddle::fuzz {

void add_waiting(Tables& to) {
  const auto add = [&](const char* name, const char* uses, const char* partner, const char* code) {
    to.kinds.push_back({name, uses, code, Role::waits, partner});
  };
  add("spin", "a", "store", "WAITS\nwhile (LOAD(&atoms.x[k]) != v) {\n  ROUND\n}\nreturn 0;");
  add("spin_yield", "a", "store",
      "int seen;\nWAITS\ndo {\n  ROUND\n  seen = LOAD(&atoms.x[k]);\n  sched_yield();\n"
      "} while (seen != v);\nreturn 0;");
  add("spin_usleep", "a", "go",
      "WAITS\nwhile (!LOAD(&atoms.x[1 - k])) {\n  ROUND\n  usleep(10);\n}\n"
      "return (unsigned)LOAD(&atoms.x[k]);");
  add("spin_last", "a", "store",
      "int last = -1;\nWAITS\nfor (;;) {\n  ROUND\n  int seen = LOAD(&atoms.x[k]);\n"
      "  if (seen == v) break;\n  last = seen;\n}\nreturn (unsigned)last;");
  add("spin_either", "a", "go",
      "int at = k;\nWAITS\nwhile (LOAD(&atoms.x[at]) != 1) {\n  ROUND\n  at = 1 - at;\n}\n"
      "return (unsigned)at;");
  add("spin_equal", "a", "",
      "WAITS\nwhile (LOAD(&atoms.x[0]) != LOAD(&atoms.x[1])) {\n  ROUND\n}\nreturn 0;");
  add("spin_nested", "a", "store",
      "WAITS\ndo {\n  ROUND\n  while (LOAD(&atoms.x[k]) != v) {\n    ROUND\n"
      "    if (LOAD(&atoms.x[1 - k]) == w) break;\n  }\n} while (LOAD(&atoms.x[k]) != v);\n"
      "return (unsigned)LOAD(&atoms.x[1 - k]);");
  add("spin_test_and_set", "a", "store",
      "WAITS\nwhile (EXCHANGE(&atoms.x[k], 1)) {\n  ROUND\n}\nunsigned seen = "
      "(unsigned)LOAD(&atoms.x[1 - k]);\n"
      "STORE(&atoms.x[k], 0);\nreturn seen;");
  add("spin_test_first", "a", "",
      "WAITS\nfor (;;) {\n  ROUND\n  while (LOAD(&atoms.x[k])) {\n    ROUND\n  }\n"
      "  if (!EXCHANGE(&atoms.x[k], 1)) break;\n}\nADD(&atoms.x[1 - k], 1);\n"
      "STORE(&atoms.x[k], 0);\nreturn 0;");
  add("spin_or", "a", "store",
      "WAITS\nwhile ((__atomic_fetch_or(&atoms.x[k], 2, __ATOMIC_SEQ_CST) & 1) != (v & 1)) {\n"
      "  ROUND\n}\nreturn 0;");
  add("spin_add_nothing", "a", "store",
      "WAITS\nwhile (ADD(&atoms.x[k], 0) != v) {\n  ROUND\n}\nreturn 0;");
  add("spin_cas", "a", "store",
      "int old = w;\nWAITS\nwhile (!CAS(&atoms.x[k], &old, v)) {\n  ROUND\n  old = w;\n}\nreturn "
      "0;");
  add("spin_cas_add", "a", "",
      "int old = LOAD(&atoms.x[k]);\nWAITS\nwhile (!CAS(&atoms.x[k], &old, old + 1)) {\n  "
      "ROUND\n}\n"
      "return (unsigned)old;");
  add("spin_update", "a", "go",
      "WAITS\ndo {\n  ROUND\n  EXCHANGE(&atoms.x[k], v);\n} while (!LOAD(&atoms.x[1 - k]));\n"
      "return 0;");
  add("spin_store", "a", "go",
      "WAITS\ndo {\n  ROUND\n  STORE(&atoms.x[k], v);\n} while (!LOAD(&atoms.x[1 - k]));\n"
      "return 0;");
  add("spin_cas_update", "a", "go",
      "WAITS\ndo {\n  ROUND\n  int old = w;\n  CAS(&atoms.x[k], &old, v);\n"
      "} while (!LOAD(&atoms.x[1 - k]));\nreturn 0;");
  add("spin_update16", "qa", "go",
      "WAITS\ndo {\n  ROUND\n  EXCHANGE(&wide.all, halves(v, w).all);\n"
      "} while (!LOAD(&atoms.x[1 - k]));\nreturn 0;");
  add("spin_store16", "qa", "go",
      "WAITS\ndo {\n  ROUND\n  STORE(&wide.all, halves(v, w).all);\n"
      "} while (!LOAD(&atoms.x[1 - k]));\nreturn 0;");
  add("spin_cas16", "qa", "go",
      "WAITS\ndo {\n  ROUND\n  union Wide old = halves(0, 0);\n"
      "  CAS(&wide.all, &old.all, halves(v, w).all);\n} while (!LOAD(&atoms.x[1 - k]));\n"
      "return 0;");
  add("spin_update8", "qa", "go",
      "WAITS\ndo {\n  ROUND\n  EXCHANGE(&wide.u8[k], (unsigned long)v);\n"
      "} while (!LOAD(&atoms.x[1 - k]));\nreturn 0;");
  add("spin_update1", "qa", "go",
      "WAITS\ndo {\n  ROUND\n  EXCHANGE(&wide.u1[w], (unsigned char)v);\n"
      "} while (!LOAD(&atoms.x[1 - k]));\nreturn 0;");
  add("spin_high", "q", "store16",
      "union Wide now;\nWAITS\ndo {\n  ROUND\n  now.all = LOAD(&wide.all);\n"
      "} while ((int)now.u8[1] != w);\nreturn (unsigned)now.u8[0];");
  add("spin_semaphore", "n", "semaphore_post",
      "WAITS\nwhile (sem_trywait(&semaphore) != 0) {\n  ROUND\n}\nreturn 0;");
  add("spin_semaphore_or_flag", "na", "go",
      "WAITS\nwhile (sem_trywait(&semaphore) != 0) {\n  ROUND\n"
      "  if (LOAD(&atoms.x[1 - k])) return 1;\n}\nreturn 0;");
  add("spin_semaphore_value", "n", "semaphore_post",
      "WAITS\nfor (;;) {\n  ROUND\n  int value;\n  sem_getvalue(&semaphore, &value);\n"
      "  if (value != 0) break;\n}\nreturn 0;");
  add("spin_once", "oa", "go",
      "WAITS\ndo {\n  ROUND\n  pthread_once(&once, run_once);\n} while (!LOAD(&atoms.x[1 - k]));\n"
      "return (unsigned)once_runs.n;");
}

}  // namespace heddle::fuzz
