// Atomic memory, of one size and of several that overlap.
#include "fuzz/kinds_tables.hpp"

namespace heddle::fuzz {

void add_memory(Tables& to) {
  to.objects.push_back({'a', "static struct Atoms { int x[2]; } atoms;", "", "atoms"});
  to.objects.push_back({'q',
                        "static union Wide {\n"
                        "  unsigned __int128 all;\n"
                        "  unsigned long u8[2];\n"
                        "  unsigned u4[4];\n"
                        "  unsigned short u2[8];\n"
                        "  unsigned char u1[16];\n"
                        "} wide;\n"
                        "static inline union Wide halves(int low, int high) {\n"
                        "  union Wide made;\n"
                        "  made.u8[0] = (unsigned long)low;\n"
                        "  made.u8[1] = (unsigned long)high;\n"
                        "  return made;\n"
                        "}",
                        "", "wide"});
  const Kind all[] = {
      {"load", "a", "return (unsigned)LOAD(&atoms.x[k]);"},
      {"store", "a", "STORE(&atoms.x[k], v);\nreturn 0;"},
      {"exchange", "a", "return (unsigned)EXCHANGE(&atoms.x[k], v);"},
      {"exchange_unseen", "a", "EXCHANGE(&atoms.x[k], v);\nreturn 0;"},
      {"increment", "a", "return (unsigned)ADD(&atoms.x[k], 1);"},
      {"increment_unseen", "a", "ADD(&atoms.x[k], 1);\nreturn 0;"},
      {"or_with", "a", "return (unsigned)__atomic_fetch_or(&atoms.x[k], v, __ATOMIC_ACQ_REL);"},
      {"swap_if", "a",
       "int old = w;\nint done = CAS(&atoms.x[k], &old, v);\nreturn (unsigned)(done * 4 + old);"},
      {"swap_if_unseen", "a", "int old = w;\nCAS(&atoms.x[k], &old, v);\nreturn 0;"},
      {"load_relaxed", "a", "return (unsigned)__atomic_load_n(&atoms.x[k], __ATOMIC_RELAXED);"},
      {"store_relaxed", "a", "__atomic_store_n(&atoms.x[k], v, __ATOMIC_RELAXED);\nreturn 0;"},
      {"store_if", "a", "if (LOAD(&atoms.x[k]) == w) STORE(&atoms.x[1 - k], v);\nreturn 0;"},
      {"load_at", "a", "return (unsigned)LOAD(&atoms.x[LOAD(&atoms.x[k]) & 1]);"},
      {"add_both_in_block", "a",
       "heddle_atomic_begin();\natoms.x[0] += 1;\natoms.x[1] += v;\nheddle_atomic_end();\n"
       "return 0;"},
      {"choose", "a", "STORE(&atoms.x[k], (int)heddle_choose(2));\nreturn 0;"},
      {"choose_in_block", "a",
       "heddle_atomic_begin();\nunsigned n = heddle_choose(2);\n"
       "if (n || LOAD(&atoms.x[1 - k])) n += 2 * heddle_choose(2);\natoms.x[k] += (int)n;\n"
       "heddle_atomic_end();\nreturn n;"},

      {"load16", "q",
       "union Wide now;\nnow.all = LOAD(&wide.all);\nreturn now.u4[0] + 4 * now.u4[2];"},
      {"store16", "q", "STORE(&wide.all, halves(v, w).all);\nreturn 0;"},
      {"exchange16", "q",
       "union Wide old;\nold.all = EXCHANGE(&wide.all, halves(v, w).all);\n"
       "return old.u4[0] + 4 * old.u4[2];"},
      {"swap16_if", "q",
       "union Wide old = halves(k, w);\nint done = CAS(&wide.all, &old.all, halves(v, w).all);\n"
       "return old.u4[0] + 4 * old.u4[2] + 64U * (unsigned)done;"},
      {"load8", "q", "return (unsigned)LOAD(&wide.u8[k]);"},
      {"store8", "q", "STORE(&wide.u8[k], (unsigned long)v);\nreturn 0;"},
      {"swap8_if", "q",
       "unsigned long old = (unsigned long)w;\n"
       "int done = CAS(&wide.u8[k], &old, (unsigned long)v);\n"
       "return (unsigned)old + 64U * (unsigned)done;"},
      {"load4", "q", "return LOAD(&wide.u4[w]);"},
      {"store4", "q", "STORE(&wide.u4[w], (unsigned)v);\nreturn 0;"},
      {"add4", "q", "return ADD(&wide.u4[2 * k], 1);"},
      {"load2", "q", "return LOAD(&wide.u2[4 * k + w]);"},
      {"store2", "q", "STORE(&wide.u2[4 * k + w], (unsigned short)v);\nreturn 0;"},
      {"load1", "q", "return LOAD(&wide.u1[8 * k + w]);"},
      {"store1", "q", "STORE(&wide.u1[8 * k + w], (unsigned char)v);\nreturn 0;"},
      {"exchange1", "q", "return EXCHANGE(&wide.u1[8 * k], (unsigned char)v);"},
  };
  for (const Kind& kind : all) to.kinds.push_back(kind);
  to.kinds.push_back({"load_by_reference", "a",
                      "return (unsigned)std::atomic_ref<int>(atoms.x[k]).load();", Role::step, "",
                      true});
  to.kinds.push_back({"add_by_reference", "a",
                      "return (unsigned)std::atomic_ref<int>(atoms.x[k]).fetch_add(v);", Role::step,
                      "", true});
}

}  // namespace heddle::fuzz
