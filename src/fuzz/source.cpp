#include "fuzz/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <vector>

namespace heddle::fuzz {
namespace {

constexpr std::string_view headers =
    "#define _GNU_SOURCE\n"
    "#include <heddle/actors.h>\n#include <heddle/heddle.h>\n#include <pthread.h>\n#include "
    "<sched.h>\n"
    "#include <semaphore.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    "#include <string.h>\n#include <time.h>\n#include <unistd.h>\n";

// Each is there if what comes behind it has its name.
struct Helper {
  std::string_view name, text;
};
constexpr Helper helpers[] = {
    {"LOAD(", "#define LOAD(p) __atomic_load_n(p, __ATOMIC_SEQ_CST)\n"},
    {"STORE(", "#define STORE(p, value) __atomic_store_n(p, value, __ATOMIC_SEQ_CST)\n"},
    {"EXCHANGE(", "#define EXCHANGE(p, value) __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST)\n"},
    {"ADD(", "#define ADD(p, value) __atomic_fetch_add(p, value, __ATOMIC_SEQ_CST)\n"},
    {"CAS(",
     "#define CAS(p, old, value) \\\n"
     "  __atomic_compare_exchange_n(p, old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)\n"},
    {"ROUND",
     "#ifdef BOUND\n"
     "static __attribute__((noinline)) void next_round(int *rounds) {\n"
     "  if (++*rounds > BOUND) heddle_assume(0);\n"
     "}\n"
     "#define WAITS int rounds = 0;\n#define ROUND next_round(&rounds);\n"
     "#else\n#define WAITS\n#define ROUND\n#endif\n"},
    {"soon(",
     "static struct timespec *soon(struct timespec *limit) {\n"
     "  clock_gettime(CLOCK_REALTIME, limit);\n  limit->tv_sec += 1;\n  return limit;\n}\n"},
    {"add(seen",
     "static uint64_t add(uint64_t seen, uint64_t what) { return seen * 1009 + what; }\n"},
    {"words(",
     "static uint64_t words(uint64_t seen, const void *at, size_t size) {\n"
     "  for (size_t n = 0; n < size / 4; ++n) seen = seen * 1009 + ((const unsigned *)at)[n];\n"
     "  return seen;\n}\n"},
    {"bytes(",
     "static uint64_t bytes(uint64_t seen, const void *at, size_t size) {\n"
     "  for (size_t n = 0; n < size; ++n) seen = seen * 1009 + ((const unsigned char *)at)[n];\n"
     "  return seen;\n}\n"},
    {"words_atomically(",
     "static uint64_t words_atomically(uint64_t seen, unsigned *at, size_t size) {\n"
     "  for (size_t n = 0; n < size / 4; ++n)\n"
     "    seen = seen * 1009 + __atomic_load_n(at + n, __ATOMIC_SEQ_CST);\n"
     "  return seen;\n}\n"},
    {"by_reference(",
     "static uint64_t by_reference(uint64_t seen, unsigned *at, size_t size) {\n"
     "  for (size_t n = 0; n < size / 4; ++n)\n"
     "    seen = seen * 1009 + std::atomic_ref<unsigned>(at[n]).load();\n"
     "  return seen;\n}\n"},
    {"zeros", "static const char zeros[16] = {0};\n"},
};

std::string helpers_for(const std::string& body) {
  std::string out;
  for (const Helper& h : helpers)
    if (body.find(h.name) != std::string::npos) out += h.text;
  return out;
}

std::string indented(const std::string& code, const char* by) {
  std::string out = by;
  for (const char c : code) {
    out += c;
    if (c == '\n') out += by;
  }
  return out + "\n";
}

std::string function_of(const Kind& kind, const char* how) {
  return fmt::format("static {}unsigned {}(int k, int v, int w) {{\n{}}}\n", how, kind.name,
                     indented(kind.code, "  "));
}

// A statement that adds what is in a variable to `seen`.
std::string looked_at(const std::string& memory, Look look) {
  switch (look) {
    case Look::by_words:
      return fmt::format("seen = words(seen, &{0}, sizeof {0});\n", memory);
    case Look::by_bytes:
      return fmt::format("seen = bytes(seen, &{0}, sizeof {0});\n", memory);
    case Look::by_memcpy:
      return fmt::format(
          "{{\n  __typeof__({0}) copy;\n  memcpy(&copy, &{0}, sizeof copy);\n"
          "  seen = words(seen, &copy, sizeof copy);\n}}\n",
          memory);
    case Look::by_assignment:
      return fmt::format(
          "{{\n  __typeof__({0}) copy = {0};\n  seen = words(seen, &copy, sizeof copy);\n}}\n",
          memory);
    case Look::by_memcmp:
      return fmt::format("seen = add(seen, memcmp(&{0}, zeros, sizeof {0}) != 0);\n", memory);
    case Look::atomically:
      return fmt::format("seen = words_atomically(seen, (unsigned *)&{0}, sizeof {0});\n", memory);
    case Look::by_reference:
      return fmt::format("seen = by_reference(seen, (unsigned *)&{0}, sizeof {0});\n", memory);
  }
  return "";
}

std::vector<const Object*> with_memory() {
  std::vector<const Object*> out;
  for (const Object& o : objects())
    if (!o.memory.empty()) out.push_back(&o);
  return out;
}

std::string look_at_used(const Program& program) {
  std::string out;
  for (const Object* o : with_memory())
    if (uses(program, o->letter)) out += looked_at(o->memory, program.look);
  return out;
}

// In the interpreter: a bit of `used` for each.
std::string look_at_all(Look look) {
  std::string out;
  for (std::size_t n = 0; n < with_memory().size(); ++n)
    out +=
        fmt::format("if (used >> {} & 1) {{\n{}}}\n", n, looked_at(with_memory()[n]->memory, look));
  return out;
}

std::size_t used_bits(const Program& program) {
  std::size_t bits = 0;
  for (std::size_t n = 0; n < with_memory().size(); ++n)
    if (uses(program, with_memory()[n]->letter)) bits |= std::size_t{1} << n;
  return bits;
}

// The text, with what it needs before it.
std::string with_head(const std::string& declared_first, const std::string& body) {
  const std::string text = declared_first + helpers_for(body) + body;
  const bool cxx = text.find("std::atomic_ref") != std::string::npos;
  return std::string(headers) + (cxx ? "#include <atomic>\n" : "") + text;
}

// What both have: `look`, and a thread that calls it.
constexpr std::string_view looker =
    "static void *looker(void *seen) {\n  *(uint64_t *)seen = look(*(uint64_t *)seen);\n"
    "  return 0;\n}\n";
constexpr std::string_view teller =
    "static uint64_t all;\nstatic void tell(void) { heddle_outcome(look(all)); }\n";
constexpr std::string_view ended = "static sem_t ended;\n";

// The end of main, for each way to look; `created` is how many threads there are to join.
std::string end_of_main(When when, const std::string& created) {
  const std::string join = fmt::format(
      "  for (int n = 0; n < {}; ++n) {{\n    void *result;\n    pthread_join(threads[n], "
      "&result);\n"
      "    seen = add(seen, (uint64_t)result);\n  }}\n",
      created);
  switch (when) {
    case When::joined:
      return join + "  heddle_outcome(look(seen));\n  return 0;\n";
    case When::by_another:
      return join +
             "  pthread_t another;\n  pthread_create(&another, 0, looker, &seen);\n"
             "  pthread_join(another, 0);\n  heddle_outcome(seen);\n  return 0;\n";
    case When::at_exit:
      return join + "  all = seen;\n  return 0;\n";
    case When::after_semaphores:
      return fmt::format("  for (int n = 0; n < {}; ++n) sem_wait(&ended);\n  seen = look(seen);\n",
                         created) +
             join + "  heddle_outcome(seen);\n  return 0;\n";
    case When::as_status:
      return join + "  heddle_outcome(seen);\n  return (int)(look(0) & 3);\n";
  }
  return "";
}

std::string set_up(When when) {
  if (when == When::at_exit) return "  atexit(tell);\n";
  return when == When::after_semaphores ? "  sem_init(&ended, 0, 0);\n" : "";
}

std::size_t meeting(const Program& program) {
  const auto meets = [](const Step& s) {
    return kinds()[s.kind].uses.find('b') != std::string::npos;
  };
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(
      1, std::ranges::count_if(program.threads, [&](const std::vector<Step>& thread) {
        return std::ranges::any_of(thread, meets);
      })));
}

std::string step_of(const Step& s) {
  return fmt::format("  seen = add(seen, {}({}, {}, {}));\n", kinds()[s.kind].name, s.k, s.v, s.w);
}

std::string thread_of(std::span<const Step> steps, std::size_t number, bool posts) {
  std::string out =
      fmt::format("static void *thread_{}(void *unused) {{\n  uint64_t seen = 0;\n", number);
  for (const Step& s : steps) out += step_of(s);
  if (posts) out += "  sem_post(&ended);\n";
  return out + "  return (void *)seen;\n}\n";
}

std::string main_of(const Program& program) {
  std::string out = "int main(void) {\n";
  for (const Object& o : objects())
    if (uses(program, o.letter) && !o.set_up.empty()) out += indented(o.set_up, "  ");
  out += set_up(program.when);
  const std::size_t created = program.threads.size() - (program.main_works ? 1 : 0);
  out += fmt::format("  pthread_t threads[{}];\n  uint64_t seen = 0;\n", created + 1);
  if (program.early) out += step_of(program.threads.back()[0]);
  for (std::size_t n = 0; n < created; ++n)
    out += fmt::format("  pthread_create(&threads[{0}], 0, thread_{0}, 0);\n", n);
  if (program.main_works)
    out += fmt::format("  seen = add(seen, (uint64_t)thread_{}(0));\n", created);
  return out + end_of_main(program.when, fmt::format("{}", created)) + "}\n";
}

}  // namespace

std::string source_of(const Program& program) {
  std::string body = fmt::format("#define MEETING {}\n", meeting(program));
  if (!uses(program, 'b')) body.clear();
  const auto has = [&](const Object& o) { return uses(program, o.letter); };
  for (const Object& o : objects())
    if (has(o) && !o.declaration.empty()) body += o.declaration + "\n";
  std::set<std::size_t> used;
  for (const auto& thread : program.threads)
    for (const Step& s : thread) used.insert(s.kind);
  for (const std::size_t kind : used)
    body +=
        function_of(kinds()[kind], program.inlined ? "inline __attribute__((always_inline)) " : "");
  body += "static uint64_t look(uint64_t seen) {\n" +
          indented(look_at_used(program) + "return seen;", "  ") + "}\n";
  if (program.when == When::by_another) body += looker;
  if (program.when == When::at_exit) body += teller;
  if (program.when == When::after_semaphores) body += ended;
  for (std::size_t n = 0; n < program.threads.size(); ++n) {
    const bool by_main = program.main_works && n + 1 == program.threads.size();
    body += thread_of(std::span(program.threads[n]).subspan(by_main && program.early ? 1 : 0), n,
                      program.when == When::after_semaphores && !by_main);
  }
  body += main_of(program);
  return with_head("", body);
}

std::string interpreter_source(bool cxx) {
  std::string body;
  for (const Object& o : objects())
    if (!o.declaration.empty()) body += o.declaration + "\n";
  std::string cases;
  for (std::size_t n = 0; n < kinds().size(); ++n) {
    if (kinds()[n].cxx && !cxx) continue;
    body += function_of(kinds()[n], "");
    cases += fmt::format("    case {}:\n      return {}(s->k, s->v, s->w);\n", n, kinds()[n].name);
  }
  body += ended;
  body +=
      "static struct Step { int thread, kind, k, v, w; } steps[64];\n"
      "static int count, way, when, main_works, early, thread_count, used;\n"
      "static unsigned do_step(const struct Step *s) {\n  switch (s->kind) {\n" +
      cases +
      "  }\n  abort();\n}\n"
      "static void *thread(void *number) {\n  uint64_t seen = 0;\n"
      "  for (int n = 0; n < count; ++n)\n"
      "    if (steps[n].thread == (int)(intptr_t)number) seen = add(seen, do_step(&steps[n]));\n"
      "  if (when == 3 && !(main_works && (int)(intptr_t)number + 1 == thread_count))\n"
      "    sem_post(&ended);\n"
      "  return (void *)seen;\n}\n"
      "static uint64_t look(uint64_t seen) {\n  switch (way) {\n";
  for (int way = 0; way < (cxx ? looks_in_cxx : looks_in_c); ++way)
    body += fmt::format("    case {}:\n{}      break;\n", way,
                        indented(look_at_all(static_cast<Look>(way)), "      "));
  body += "  }\n  return seen;\n}\n";
  body += looker;
  body += teller;
  body +=
      "static int digit(const char **text) { return *(*text)++ - '0'; }\n"
      "int main(int argc, char **argv) {\n"
      "  const char *text = argv[1];\n  if (argc > 2) bound = atoi(argv[2]);\n"
      "  unsigned programs = 1, which = 0;\n"
      "  for (const char *at = text; *at; ++at) programs += *at == '/';\n"
      "  if (programs > 1) which = heddle_choose(programs);\n"
      "  for (unsigned n = which; n > 0; --n) text = strchr(text, '/') + 1;\n"
      "  way = digit(&text);\n  when = digit(&text);\n  main_works = digit(&text);\n"
      "  early = digit(&text);\n"
      "  meeting = digit(&text);\n  thread_count = digit(&text);\n"
      "  used = digit(&text) * 64;\n  used += digit(&text);\n"
      "  for (; *text && *text != '/'; ++count) {\n    struct Step *s = &steps[count];\n"
      "    s->thread = digit(&text);\n    s->kind = digit(&text) * 64;\n"
      "    s->kind += digit(&text);\n    s->k = digit(&text);\n    s->v = digit(&text);\n"
      "    s->w = digit(&text);\n  }\n";
  for (const Object& o : objects())
    if (!o.set_up.empty()) body += indented(o.set_up, "  ");
  body += "  if (when == 2) atexit(tell);\n  sem_init(&ended, 0, 0);\n";
  body +=
      "  pthread_t threads[8];\n  uint64_t seen = which;\n  int created = thread_count - "
      "main_works;\n"
      "  for (int n = 0; early && n < count; ++n)\n"
      "    if (steps[n].thread == created) {\n      seen = add(seen, do_step(&steps[n]));\n"
      "      steps[n].thread = -1;\n      break;\n    }\n"
      "  for (int n = 0; n < created; ++n)\n"
      "    pthread_create(&threads[n], 0, thread, (void *)(intptr_t)n);\n"
      "  if (main_works) seen = add(seen, (uint64_t)thread((void *)(intptr_t)created));\n"
      "  switch (when) {\n";
  for (int when = 0; when < whens; ++when)
    body += fmt::format("    case {}: {{\n{}    }}\n", when,
                        end_of_main(static_cast<When>(when), "created"));
  body += "  }\n  return 99;\n}\n";
  return with_head("static int bound = 3, meeting;\n#define MEETING meeting\n", body);
}

namespace {

std::string data_of(const Program& program) {
  const auto digit = [](std::size_t n) { return static_cast<char>('0' + n); };
  std::string out;
  out += digit(static_cast<std::size_t>(program.look));
  out += digit(static_cast<std::size_t>(program.when));
  out += digit(program.main_works ? 1 : 0);
  out += digit(program.early ? 1 : 0);
  out += digit(meeting(program));
  out += digit(program.threads.size());
  out += digit(used_bits(program) / 64);
  out += digit(used_bits(program) % 64);
  for (std::size_t n = 0; n < program.threads.size(); ++n)
    for (const Step& s : program.threads[n])
      for (const std::size_t part : {n, s.kind / 64, s.kind % 64, static_cast<std::size_t>(s.k),
                                     static_cast<std::size_t>(s.v), static_cast<std::size_t>(s.w)})
        out += digit(part);
  return out;
}

}  // namespace

std::string data_of(std::span<const Program> programs) {
  std::string out;
  for (const Program& program : programs) out += (out.empty() ? "" : "/") + data_of(program);
  return out;
}

}  // namespace heddle::fuzz
