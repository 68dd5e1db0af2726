// Plain data, guarded by locks of every kind: the same steps for each.
#include "fuzz/kinds_tables.hpp"

namespace heddle::fuzz {
namespace {

struct Lock {
  char letter;
  std::string name;
  std::string declaration, set_up;
  std::string take, try_to_take, give_back;
  std::string take_in_time = "";  // none: it cannot
  // To take it and to give it back cancels out, so that a loop that does both can wait.
  bool cancels = true;
};

// "$lock" and the like, and its name, in the place of what stands for them.
std::string with(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string filled(const std::string& text, const Lock& lock) {
  std::string out = with(text, "$lock", lock.take);
  out = with(out, "$unlock", lock.give_back);
  out = with(out, "$try", lock.try_to_take);
  out = with(out, "$timed", lock.take_in_time);
  return with(out, "$data", lock.name + "_data.x[k]");
}

Lock mutex(char letter, const std::string& name, const std::string& initialiser) {
  return {letter,
          name,
          "static pthread_mutex_t " + name + "[2] = {" + initialiser + ", " + initialiser + "};",
          "",
          "pthread_mutex_lock(&" + name + "[k]);",
          "pthread_mutex_trylock(&" + name + "[k]) == 0",
          "pthread_mutex_unlock(&" + name + "[k]);",
          "pthread_mutex_timedlock(&" + name + "[k], soon(&limit)) == 0"};
}

const Lock locks[] = {
    mutex('m', "mutex", "PTHREAD_MUTEX_INITIALIZER"),
    mutex('r', "recursive", "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP"),
    mutex('e', "checking", "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP"),
    {'w', "rwlock",
     "static pthread_rwlock_t rwlock[2] = {PTHREAD_RWLOCK_INITIALIZER, "
     "PTHREAD_RWLOCK_INITIALIZER};",
     "", "pthread_rwlock_wrlock(&rwlock[k]);", "pthread_rwlock_trywrlock(&rwlock[k]) == 0",
     "pthread_rwlock_unlock(&rwlock[k]);",
     "pthread_rwlock_timedwrlock(&rwlock[k], soon(&limit)) == 0"},
    {'s', "spinlock", "static pthread_spinlock_t spinlock[2];",
     "pthread_spin_init(&spinlock[0], 0);\npthread_spin_init(&spinlock[1], 0);",
     "pthread_spin_lock(&spinlock[k]);", "pthread_spin_trylock(&spinlock[k]) == 0",
     "pthread_spin_unlock(&spinlock[k]);"},
    {'f', "flag", "static char flag[2];", "",
     "{ WAITS while (__atomic_test_and_set(&flag[k], __ATOMIC_SEQ_CST)) { ROUND } }",
     "!__atomic_test_and_set(&flag[k], __ATOMIC_SEQ_CST)",
     "__atomic_clear(&flag[k], __ATOMIC_SEQ_CST);", "", false},
    {'l', "turn", "static sem_t turn[2];", "sem_init(&turn[0], 0, 1);\nsem_init(&turn[1], 0, 1);",
     "sem_wait(&turn[k]);", "sem_trywait(&turn[k]) == 0", "sem_post(&turn[k]);",
     "sem_timedwait(&turn[k], soon(&limit)) == 0", false},
};

// Of each lock.
// Steps, and what waits: with `try_round` it waits for the lock alone.
const Kind steps[] = {
    {"set", "", "$lock\n$data = v;\n$unlock\nreturn 0;"},
    {"look", "", "$lock\nunsigned seen = (unsigned)$data;\n$unlock\nreturn seen;"},
    {"count", "", "$lock\nunsigned seen = (unsigned)$data++;\n$unlock\nreturn seen;"},
    {"try", "", "if (!($try)) return 9;\nunsigned seen = (unsigned)$data;\n$unlock\nreturn seen;"},
    {"pass", "", "$lock\n$unlock\nreturn 0;"},
    {"tries", "",
     "unsigned failed = 0;\nfor (int n = 0; n <= v; ++n) {\n  if ($try) {\n    $unlock\n  } else "
     "{\n"
     "    ++failed;\n  }\n  if (w) {\n    $lock\n    $unlock\n  }\n}\nreturn failed;"},
    {"copy", "",
     "int copy;\n$lock\nmemcpy(&copy, &$data, sizeof copy);\n$unlock\nreturn (unsigned)copy;"},
    {"open", "", "$lock\nreturn 0;", Role::opens, "close"},
    {"close", "", "$unlock\nreturn 0;", Role::closes},
    {"check_round", "",
     "int seen;\nWAITS\ndo {\n  ROUND\n  $lock\n  seen = $data;\n  $unlock\n} while (seen != "
     "v);\nreturn 0;",
     Role::waits, "set"},
    {"check_inside", "",
     "WAITS\nfor (;;) {\n  ROUND\n  $lock\n  if ($data == v) {\n    $data = w;\n    $unlock\n"
     "    return 1;\n  }\n  $unlock\n  sched_yield();\n}",
     Role::waits, "set"},
    {"try_round", "",
     "WAITS\nwhile (!($try)) {\n  ROUND\n}\nunsigned seen = (unsigned)$data++;\n$unlock\n"
     "return seen;",
     Role::waits},
    {"try_check", "",
     "WAITS\nfor (;;) {\n  ROUND\n  if ($try) {\n    int seen = $data;\n    $unlock\n"
     "    if (seen == v) break;\n  }\n}\nreturn 0;",
     Role::waits, "set"},
    {"lend_round", "",
     "WAITS\n$lock\nwhile ($data != v) {\n  ROUND\n  $unlock\n  $lock\n}\n$data = w;\n$unlock\n"
     "return 0;",
     Role::waits, "set"},
    {"lend_usleep", "",
     "WAITS\n$lock\nwhile ($data != v) {\n  ROUND\n  $unlock\n  usleep(1);\n  $lock\n}\n$unlock\n"
     "return 0;",
     Role::waits, "set"},
    {"update_pass", "a",
     "WAITS\ndo {\n  ROUND\n  EXCHANGE(&atoms.x[k], v);\n  $lock\n  $unlock\n"
     "} while (!LOAD(&atoms.x[1 - k]));\nreturn 0;",
     Role::waits, "go"},
    {"or_pass", "a",
     "WAITS\ndo {\n  ROUND\n  __atomic_fetch_or(&atoms.x[k], v, __ATOMIC_SEQ_CST);\n  $lock\n"
     "  int seen = $data;\n  $unlock\n  if (seen) break;\n} while (!LOAD(&atoms.x[1 - k]));\n"
     "return 0;",
     Role::waits, "go"},
};

}  // namespace

void add_locks(Tables& to) {
  to.kinds.push_back({"go", "a", "STORE(&atoms.x[1 - k], 1);\nreturn 0;"});
  for (const Lock& lock : locks) {
    const std::string data = lock.name + "_data";
    to.objects.push_back(
        {lock.letter,
         lock.declaration + "\nstatic struct Data_" + lock.name + " { int x[2]; } " + data + ";",
         lock.set_up, data});
    for (Kind kind : steps) {
      if (kind.role == Role::waits && !lock.cancels && kind.name != "try_round") continue;
      kind.name = lock.name + "_" + kind.name;
      kind.uses += lock.letter;
      kind.code = filled(kind.code, lock);
      if (!kind.partner.empty() && kind.partner != "go")
        kind.partner = lock.name + "_" + kind.partner;
      to.kinds.push_back(kind);
    }
    if (!lock.take_in_time.empty())
      to.kinds.push_back(
          {lock.name + "_in_time", std::string(1, lock.letter),
           filled("struct timespec limit;\nif (!($timed)) return 8;\n"
                  "unsigned seen = (unsigned)$data;\n$data = v;\n$unlock\nreturn seen;",
                  lock),
           Role::step, "", false, true});
  }
  // What only readers do.
  const std::string share = "pthread_rwlock_rdlock(&rwlock[k]);\n",
                    unshare = "pthread_rwlock_unlock(&rwlock[k]);\n";
  to.kinds.push_back(
      {"rwlock_share", "w",
       share + "unsigned seen = (unsigned)rwlock_data.x[k];\n" + unshare + "return seen;"});
  to.kinds.push_back({"rwlock_share_twice", "w",
                      share + share + "unsigned seen = (unsigned)rwlock_data.x[k];\n" + unshare +
                          unshare + "return seen;"});
  to.kinds.push_back({"rwlock_try_share", "w",
                      "if (pthread_rwlock_tryrdlock(&rwlock[k]) != 0) return 9;\n"
                      "unsigned seen = (unsigned)rwlock_data.x[k];\n" +
                          unshare + "return seen;"});
  to.kinds.push_back({"rwlock_open_shared", "w", share + "return 0;", Role::opens, "rwlock_close"});
  to.kinds.push_back({"rwlock_share_round", "w",
                      "int seen;\nWAITS\ndo {\n  ROUND\n  " + share +
                          "  seen = rwlock_data.x[k];\n  " + unshare +
                          "} while (seen != v);\nreturn 0;",
                      Role::waits, "rwlock_set"});
}

}  // namespace heddle::fuzz
