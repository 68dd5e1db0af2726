// Loops that wait for a while only, and loops that wait in other shapes: what they count, store and
// carry from round to round.
#include "fuzz/kinds_tables.hpp"

namespace heddle::fuzz {
namespace {

// Of these, two or three rounds are all.
void add_bounded(Tables& to) {
  const auto add = [&](const char* name, const char* code) {
    to.kinds.push_back({name, "a", code, Role::waits, ""});
  };
  add("patient",
      "WAITS\nfor (int i = 0; i < 2 + (w & 1); ++i) {\n  ROUND\n"
      "  if (LOAD(&atoms.x[k]) == v) return 1;\n}\nreturn 2 + (unsigned)LOAD(&atoms.x[1 - k]);");
  add("patient_while",
      "int left = 2;\nWAITS\nwhile (left-- > 0) {\n  ROUND\n"
      "  if (LOAD(&atoms.x[k]) == v) return 1;\n  if (left > 0)\n    sched_yield();\n}\n"
      "ADD(&atoms.x[1 - k], 1);\nreturn 0;");
  add("patient_counting",
      "int i;\nWAITS\nfor (i = 0; i < 3; ++i) {\n  ROUND\n  if (LOAD(&atoms.x[k]) == v) break;\n}\n"
      "return (unsigned)i;");
  add("patient_value",
      "int seen, i = 0;\nWAITS\ndo {\n  ROUND\n  seen = LOAD(&atoms.x[k]);\n"
      "  if (seen == v) return 7;\n} while (++i < 2);\nreturn (unsigned)seen;");
  add("patient_values",
      "int a, b, i = 0;\nWAITS\ndo {\n  ROUND\n  a = LOAD(&atoms.x[k]);\n"
      "  b = LOAD(&atoms.x[1 - k]);\n  if (a == v && b == w) return 99;\n} while (++i < 2);\n"
      "return (unsigned)(a * 10 + b);");
  add("patient_two",
      "WAITS\nfor (int i = 0; i < 2; ++i) {\n  ROUND\n"
      "  if (LOAD(&atoms.x[0]) == v && LOAD(&atoms.x[1]) == w) return 1;\n}\n"
      "STORE(&atoms.x[k], 1);\nreturn 0;");
  add("patient_equal",
      "WAITS\nfor (int i = 0; i < 3; ++i) {\n  ROUND\n  int a = LOAD(&atoms.x[0]);\n"
      "  int b = LOAD(&atoms.x[1]);\n  if (a == b) return 1;\n}\n"
      "return 2 + (unsigned)LOAD(&atoms.x[k]);");
  add("patient_twice",
      "WAITS\nfor (int i = 0; i < 2; ++i) {\n  ROUND\n  int a = LOAD(&atoms.x[k]);\n"
      "  int b = LOAD(&atoms.x[k]);\n  if (a != b) return (unsigned)(1 + a * 3 + b);\n}\n"
      "return 0;");
  add("patient_mixed",
      "WAITS\nfor (int i = 0; i < 3; ++i) {\n  ROUND\n  int seen = LOAD(&atoms.x[k]);\n"
      "  if (seen == 2 && i == 0) return 1;\n  if (seen == 1 && i == 1) return 2;\n}\nreturn 3;");
  add("patient_middle",
      "WAITS\nfor (int i = 0;; ++i) {\n  ROUND\n  int seen = LOAD(&atoms.x[k]);\n"
      "  if (i == 2) return 3 + (unsigned)seen;\n  if (seen == v) return 1;\n}");
  add("patient_between",
      "WAITS\nfor (int i = 0;; ++i) {\n  ROUND\n  if (LOAD(&atoms.x[k]) == v) return 1;\n"
      "  if (i == 1) return 2;\n  if (LOAD(&atoms.x[1 - k]) == w) return 3;\n}");
  add("patient_cas",
      "WAITS\nfor (int i = 0; i < 3; ++i) {\n  ROUND\n  int old = w;\n"
      "  if (CAS(&atoms.x[k], &old, v)) return 1;\n}\nreturn 2 + (unsigned)LOAD(&atoms.x[1 - k]);");
  add("patient_test_and_cas",
      "WAITS\nfor (int i = 0; i < 2; ++i) {\n  ROUND\n  if (LOAD(&atoms.x[k])) continue;\n"
      "  int old = 0;\n  if (CAS(&atoms.x[k], &old, 1)) return 1;\n}\nADD(&atoms.x[1 - k], 1);\n"
      "return 0;");
  add("patient_acting",
      "WAITS\nfor (int i = 0; i < 3; ++i) {\n  ROUND\n"
      "  if (LOAD(&atoms.x[k]) == v) ADD(&atoms.x[1 - k], 1);\n}\nreturn 0;");
  add("patient_summing",
      "unsigned sum = 0;\nWAITS\nfor (int i = 0; i < 3; ++i) {\n  ROUND\n"
      "  if (LOAD(&atoms.x[k]) == v) ++sum;\n}\nreturn sum;");
  add("patient_remembering",
      "int last = -1;\nWAITS\nfor (int i = 0; i < 2; ++i) {\n  ROUND\n"
      "  int seen = LOAD(&atoms.x[k]);\n  if (seen == last) return 1;\n  last = seen;\n}\n"
      "return 2;");
  add("patient_uneven",
      "int i = 0;\nWAITS\nwhile (i < 3) {\n  ROUND\n  if (LOAD(&atoms.x[k]) == v)\n    i += 2;\n"
      "  else\n    ++i;\n}\nreturn (unsigned)LOAD(&atoms.x[1 - k]);");
  add("patient_storing",
      "WAITS\nfor (int i = 0; i < 2; ++i) {\n  ROUND\n  if (LOAD(&atoms.x[k]) == v) return 1;\n"
      "  STORE(&atoms.x[1 - k], w);\n}\nreturn 0;");
  add("patient_tracing",
      "WAITS\nfor (int i = 0; i < 3; ++i) {\n  ROUND\n  if (LOAD(&atoms.x[k]) == v) return 1;\n"
      "  if (i == 1) STORE(&atoms.x[1 - k], 1);\n}\nreturn 0;");
}

}  // namespace

void add_counting(Tables& to) {
  add_bounded(to);
  const auto add = [&](const char* name, const char* partner, const char* code) {
    to.kinds.push_back({name, "a", code, Role::waits, partner});
  };
  add("backing_off", "store",
      "unsigned delay = 1;\nWAITS\nwhile (LOAD(&atoms.x[k]) != v) {\n  ROUND\n"
      "  for (unsigned n = 0; n < delay; ++n) __builtin_ia32_pause();\n"
      "  if (delay < 8)\n    delay *= 2;\n  else\n    sched_yield();\n}\nreturn 0;");
  add("backing_off_cas", "store",
      "int delay = 1;\nWAITS\nfor (;;) {\n  ROUND\n  int old = w;\n"
      "  if (CAS(&atoms.x[k], &old, v)) return 0;\n"
      "  for (int n = delay; n > 0; --n) __builtin_ia32_pause();\n  delay = delay * 2 & 15;\n}");
  add("backing_off_counted", "store",
      "unsigned delay = 1;\nWAITS\nwhile (LOAD(&atoms.x[k]) != v) {\n  ROUND\n"
      "  if (delay < 4) delay *= 2;\n}\nreturn delay;");
  add("spin_peeled", "store",
      "int seen = LOAD(&atoms.x[k]);\nWAITS\nwhile (seen != v) {\n  ROUND\n"
      "  seen = LOAD(&atoms.x[k]);\n}\nreturn 0;");
  add("spin_peeled_other", "store",
      "int seen = LOAD(&atoms.x[1 - k]);\nWAITS\nwhile (seen != v) {\n  ROUND\n"
      "  seen = LOAD(&atoms.x[k]);\n}\nreturn 0;");
  add("spin_carried", "store",
      "int seen = w, before = w;\nWAITS\nwhile (seen != v) {\n  ROUND\n  before = seen;\n"
      "  seen = LOAD(&atoms.x[k]);\n}\nreturn (unsigned)before;");
  add("spin_cached", "store",
      "static __thread int cache;\ncache = -1;\nWAITS\nwhile (cache != v) {\n  ROUND\n"
      "  cache = LOAD(&atoms.x[k]);\n}\nreturn 0;");
  add("spin_store_sometimes", "go",
      "WAITS\nwhile (!LOAD(&atoms.x[1 - k])) {\n  ROUND\n"
      "  if (LOAD(&atoms.x[k]) == w) STORE(&atoms.x[k], v);\n}\nreturn 0;");
  add("spin_store_first", "store",
      "WAITS\nfor (;;) {\n  ROUND\n  if (LOAD(&atoms.x[1 - k]) == 0) {\n"
      "    STORE(&atoms.x[k], 1);\n    if (LOAD(&atoms.x[k]) == v) return 0;\n"
      "  } else if (LOAD(&atoms.x[k]) == w) {\n    return 1;\n  }\n}");
  add("spin_cas_same", "go",
      "WAITS\ndo {\n  ROUND\n  int old = v;\n  CAS(&atoms.x[k], &old, v);\n"
      "} while (!LOAD(&atoms.x[1 - k]));\nreturn 0;");
  add("spin_block", "go",
      "int on;\nWAITS\ndo {\n  ROUND\n  heddle_atomic_begin();\n  STORE(&atoms.x[k], v);\n"
      "  on = LOAD(&atoms.x[1 - k]);\n  heddle_atomic_end();\n} while (!on);\nreturn 0;");
  add("spin_array", "go",
      "int seen[2] = {0, 0}, got = 0;\nWAITS\nwhile (got < 2) {\n  ROUND\n"
      "  if (!LOAD(&atoms.x[1 - k])) continue;\n  ++seen[LOAD(&atoms.x[k]) & 1];\n  ++got;\n}\n"
      "return (unsigned)seen[w & 1];");
}

}  // namespace heddle::fuzz
