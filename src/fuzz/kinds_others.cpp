// Condition variables, semaphores, barriers, once, what belongs to threads, the heap, the library.
#include "fuzz/kinds_tables.hpp"

namespace heddle::fuzz {

void add_others(Tables& to) {
  to.objects.push_back(
      {'c', "static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;", "", ""});
  to.objects.push_back({'n', "static sem_t semaphore;", "sem_init(&semaphore, 0, 0);", ""});
  to.objects.push_back({'b', "static pthread_barrier_t barrier;",
                        "pthread_barrier_init(&barrier, 0, MEETING);", ""});
  to.objects.push_back({'o',
                        "static pthread_once_t once = PTHREAD_ONCE_INIT;\n"
                        "static struct Runs { int n; } once_runs;\n"
                        "static void run_once(void) { once_runs.n++; }",
                        "", "once_runs"});
  to.objects.push_back({'t', "static __thread int own;", "", ""});
  to.objects.push_back({'y', "static pthread_key_t key;", "pthread_key_create(&key, 0);", ""});
  to.objects.push_back({'h', "static int *node;", "", ""});
  to.objects.push_back({'x', "static struct Text { char s[16]; } text;", "", "text"});
  to.objects.push_back({'g',
                        "static struct Exits { int order; } exits;\n"
                        "static void exit_0(void) { exits.order = exits.order * 4 + 1; }\n"
                        "static void exit_1(void) { exits.order = exits.order * 4 + 2; }",
                        "", "exits"});
  to.objects.push_back({'z', "", "", ""});  // the state of random()
  to.objects.push_back(
      {'i', "static void *count_up(void *to) {\n  ADD((int *)to, 1);\n  return 0;\n}", "", ""});
  const Kind all[] = {
      {"set_and_signal", "mc",
       "pthread_mutex_lock(&mutex[0]);\nmutex_data.x[0] = v;\npthread_cond_signal(&condition);\n"
       "pthread_mutex_unlock(&mutex[0]);\nreturn 0;"},
      {"set_and_broadcast", "mc",
       "pthread_mutex_lock(&mutex[0]);\nmutex_data.x[0] = v;\npthread_mutex_unlock(&mutex[0]);\n"
       "pthread_cond_broadcast(&condition);\nreturn 0;"},
      {"wait_once", "mc",
       "pthread_mutex_lock(&mutex[0]);\nif (mutex_data.x[0] != v) pthread_cond_wait(&condition, "
       "&mutex[0]);\nunsigned seen = (unsigned)mutex_data.x[0];\n"
       "pthread_mutex_unlock(&mutex[0]);\nreturn seen;"},
      {"wait_while", "mc",
       "pthread_mutex_lock(&mutex[0]);\nwhile (mutex_data.x[0] != v) pthread_cond_wait(&condition, "
       "&mutex[0]);\nmutex_data.x[0] = w;\npthread_mutex_unlock(&mutex[0]);\nreturn 0;"},
      {"wait_recursive", "rc",
       "pthread_mutex_lock(&recursive[0]);\nif (w) pthread_mutex_lock(&recursive[0]);\n"
       "while (recursive_data.x[0] != v) pthread_cond_wait(&condition, &recursive[0]);\n"
       "if (w) pthread_mutex_unlock(&recursive[0]);\npthread_mutex_unlock(&recursive[0]);\n"
       "return 0;"},
      {"signal_recursive", "rc",
       "pthread_mutex_lock(&recursive[0]);\nrecursive_data.x[0] = v;\n"
       "pthread_cond_signal(&condition);\npthread_mutex_unlock(&recursive[0]);\nreturn 0;"},
      {"semaphore_post", "n", "sem_post(&semaphore);\nreturn 0;"},
      {"semaphore_wait", "n", "sem_wait(&semaphore);\nreturn 0;"},
      {"semaphore_try", "n", "return sem_trywait(&semaphore) == 0;"},
      {"semaphore_value", "n",
       "int value;\nsem_getvalue(&semaphore, &value);\nreturn (unsigned)value;"},
      {"meet", "b", "pthread_barrier_wait(&barrier);\nreturn 0;"},
      {"meet_and_look", "b", "return pthread_barrier_wait(&barrier) != 0;"},
      {"run_once_and_look", "o", "pthread_once(&once, run_once);\nreturn (unsigned)once_runs.n;"},
      {"own_count", "ta", "own += v;\nSTORE(&atoms.x[k], own);\nreturn 0;"},
      {"own_key", "ya",
       "void *old = pthread_getspecific(key);\npthread_setspecific(key, &atoms.x[k]);\n"
       "return old ? (unsigned)LOAD((int *)old) : 7;"},
      {"make_key", "y",
       "pthread_key_t made;\nif (pthread_key_create(&made, 0) != 0) return 99;\n"
       "return (unsigned)made;"},
      {"replace_node", "h",
       "int *made = (int *)malloc(sizeof *made);\n*made = v;\n"
       "int *old = __atomic_exchange_n(&node, made, __ATOMIC_ACQ_REL);\n"
       "if (!old) return 9;\nunsigned seen = (unsigned)*old;\nfree(old);\nreturn seen;"},
      {"publish_node", "h",
       "int *made = (int *)malloc(sizeof *made), *none = 0;\n*made = v;\n"
       "if (!CAS(&node, &none, made)) free(made);\nreturn 0;"},
      {"look_at_node", "h", "return __atomic_load_n(&node, __ATOMIC_ACQUIRE) != 0;"},
      {"write_text", "xm",
       "pthread_mutex_lock(&mutex[0]);\nstrcpy(text.s, v ? \"one\" : \"nothing\");\n"
       "pthread_mutex_unlock(&mutex[0]);\nreturn 0;"},
      {"read_text", "xm",
       "pthread_mutex_lock(&mutex[0]);\nunsigned seen = (unsigned)strlen(text.s);\n"
       "pthread_mutex_unlock(&mutex[0]);\nreturn seen;"},
      {"print_text", "xm",
       "pthread_mutex_lock(&mutex[0]);\nsnprintf(text.s, sizeof text.s, \"%d\", v * 5);\n"
       "pthread_mutex_unlock(&mutex[0]);\nreturn 0;"},
      {"draw", "z", "return (unsigned)random() & 3;"},
      {"at_exit", "g", "atexit(k ? exit_1 : exit_0);\nreturn 0;"},
      {"wait_counting", "mc",
       "unsigned rounds = 0;\npthread_mutex_lock(&mutex[0]);\nwhile (mutex_data.x[0] != v) {\n"
       "  ++rounds;\n  pthread_cond_wait(&condition, &mutex[0]);\n}\n"
       "pthread_mutex_unlock(&mutex[0]);\nreturn rounds;"},
      {"nested_thread", "ai",
       "pthread_t inner;\npthread_create(&inner, 0, count_up, &atoms.x[k]);\n"
       "unsigned seen = (unsigned)LOAD(&atoms.x[1 - k]);\npthread_join(inner, 0);\nreturn seen;"},
  };
  for (const Kind& kind : all) to.kinds.push_back(kind);
  to.kinds.push_back(
      {"semaphore_in_time", "n",
       "struct timespec limit;\nreturn sem_timedwait(&semaphore, soon(&limit)) == 0;", Role::step,
       "", false, true});
  to.kinds.push_back({"condition_in_time", "mc",
                      "struct timespec limit;\nunsigned late = 0;\npthread_mutex_lock(&mutex[0]);\n"
                      "if (mutex_data.x[0] != v) late = pthread_cond_timedwait(&condition, "
                      "&mutex[0], soon(&limit)) != 0;\n"
                      "unsigned seen = (unsigned)mutex_data.x[0];\n"
                      "pthread_mutex_unlock(&mutex[0]);\nreturn seen * 2 + late;",
                      Role::step, "", false, true});
}

}  // namespace heddle::fuzz
