#include "report/kinds.hpp"

#include <algorithm>
#include <iterator>

#include "runtime/abi/wire.h"

namespace heddle::report {
namespace {

using enum Kind::Sort;

constexpr Kind table[] = {
    {finding, "assertion", "an assertion of the program fails",
     "In this schedule, assert, heddle_assert or __VERIFIER_assert is false, or reach_error or "
     "__VERIFIER_error is called.",
     "Threads come between two steps that were meant to be one: a value is read, another thread "
     "changes it, and what was computed from the old value is written. Or a thread looks at data "
     "before another has finished it.",
     "int old = atomic_load(&hits);       // both threads read 0\n"
     "atomic_store(&hits, old + 1);       // and both write 1\n"
     "assert(atomic_load(&hits) == 2);    // after both have ended",
     "Follow the schedule to the last step at which all is still right. Make one step of what must "
     "not be divided: hold one mutex over it, or use one atomic operation, here atomic_fetch_add."},
    {finding, "abort", "abort is called",
     "The program gives up by calling abort, by itself or from a library that found something "
     "wrong.",
     "A library checks its own state and finds it broken, often because two threads used an object "
     "that is meant for one.",
     "if (queue_is_corrupt(queue)) abort();",
     "The stack shows where it is called. If that is a check, treat it as a failed assertion: find "
     "the "
     "last step at which the state was right."},
    {finding, "terminate", "an exception is not caught, or std::terminate is called",
     "An exception leaves main, the function of a thread or a noexcept function, or a std::thread "
     "is destroyed before it was joined or detached.",
     "A function that throws only in some schedules, such as future::get after a broken promise; "
     "an early return that skips a join.",
     "std::thread worker(work);\n"
     "if (failed) return;        // worker is destroyed while it can be joined",
     "Catch the exception in the thread that throws it, and hand it on as a std::exception_ptr or "
     "a result. Use std::jthread, which joins by itself."},
    {finding, "signal", "a fault: the processor or the kernel stopped a thread",
     "A thread follows a pointer to no memory, divides by zero, executes an illegal instruction or "
     "runs into a trap, for example one of -fsanitize=undefined.",
     "A pointer is used before another thread has set it, or after it was set to null.",
     "if (shared != NULL)     // another thread sets it to NULL here\n"
     "  use(shared->field);",
     "Read shared pointers once, under the lock or atomically, and use what was read. Keep what "
     "they point to alive meanwhile."},
    {finding, "exit", "the program ends with a status other than 0",
     "main returns, or exit is called, with a status that means failure.",
     "A test program counts its failures and returns their number; a test framework reports a "
     "failed test.",
     "return failures == 0 ? 0 : 1;",
     "The report shows the schedule, not the reason. Use an assertion where the failure is noticed "
     "(of GoogleTest: --gtest_throw_on_failure), and the report points there."},
    {finding, "deadlock", "threads are blocked, and none of them can continue",
     "Each thread that has not ended is blocked: on a lock, a condition variable, a semaphore, a "
     "barrier, a join. No thread is left to unblock them.",
     "Two locks are taken in different orders. A condition is signalled before the other thread "
     "waits, or notify_one wakes a thread that cannot use it. A mutex is locked twice by one "
     "thread.",
     "thread 1: lock(a); lock(b);\n"
     "thread 2: lock(b); lock(a);",
     "Give locks one order, or take them together (std::scoped_lock). Wait in a loop that checks "
     "the condition under the mutex that protects it, and change it under that mutex."},
    {finding, "data-race", "two threads access the same memory without synchronisation",
     "Two threads access the same bytes, at least one of them writes or frees them, at least one "
     "access is not atomic, and neither happens before the other. C and C++ give such a program no "
     "meaning, whatever the hardware does.",
     "A mutex is forgotten in one place, or two different ones are used. A flag is an ordinary "
     "variable. An atomic flag is stored or loaded with memory_order_relaxed, which does not "
     "publish the data that it stands for.",
     "data = 42;\n"
     "ready.store(true, std::memory_order_relaxed);          // should be release\n"
     "...\n"
     "if (ready.load(std::memory_order_relaxed)) use(data);  // should be acquire",
     "Protect both accesses by one mutex, or make the variable atomic, or order them by a release "
     "and an acquire. If the race is meant, --races explore explores its orders instead."},
    {finding, "use-after-free", "memory of the heap is accessed after it was freed",
     "A thread reads or writes a block that was freed before, by itself or by another thread.",
     "A thread frees an object while another still has a pointer to it: a node of a list without "
     "locks, an object whose owner did not wait for its users, a callback that comes late.",
     "Node* node = head.load();     // another thread pops and deletes it here\n"
     "Node* next = node->next;",
     "Let the last user free it: std::shared_ptr, joins before the end of the owner, hazard "
     "pointers or epochs for structures without locks."},
    {finding, "double-free", "a block of the heap is freed twice",
     "free or delete gets a pointer to a block that was freed before.",
     "Two threads both see that they are the last user, because they look at a count and change it "
     "in two steps.",
     "refs.fetch_sub(1);\n"
     "if (refs.load() == 0) delete object;  // true in both threads",
     "Decide by the value of one atomic operation: if (refs.fetch_sub(1) == 1) delete object. Or "
     "let std::unique_ptr and std::shared_ptr decide."},
    {finding, "invalid-free", "what is freed is not a block of the heap",
     "free or delete gets a pointer that malloc or new did not return: into the middle of a block, "
     "to a variable, or a value that is not a pointer.",
     "A pointer was moved on before it was freed, or read before it was set.",
     "char* text = malloc(10);\n"
     "text += 2;\n"
     "free(text);",
     "Free what was allocated. If the pointer is shared, see that it is set before other threads "
     "read it."},
    {finding, "out-of-bounds", "an access beyond the end, or before the beginning, of a block",
     "A thread reads or writes next to a block of the heap. Variables on the stack and global ones "
     "are not checked.",
     "An index is checked in one step and used in another, while other threads change the size. "
     "Two threads both take the last free slot.",
     "if (count < capacity)       // both threads see room for one\n"
     "  slots[count++] = item;",
     "Check and use under one lock, or take the index by one atomic operation and check that."},
    {finding, "stack-overflow", "a thread needs more than 8 MB of stack",
     "A thread ran out of its stack. Heddle gives each thread 8 MB, whatever its attributes say.",
     "A recursion that does not end, often over a structure in which another thread has made a "
     "cycle; large arrays in local variables.",
     "void visit(Node* n) { if (n) visit(n->next); }   // n->next leads back to n",
     "The stack shows the recursion. See how the structure got its cycle, or put large data on the "
     "heap."},
    {finding, "lock-misuse", "a lock, a condition or the like is used as it must not be",
     "A mutex is unlocked by a thread that does not hold it, destroyed while it is held or waited "
     "for, used before it was initialised; a condition is waited on without its mutex; a thread is "
     "joined twice.",
     "An unlock on a way out that did not lock. An object with a mutex is destroyed while another "
     "thread is inside it.",
     "if (try_lock(&m) == 0) work();\n"
     "unlock(&m);                 // also when it was not locked",
     "Use std::lock_guard and std::unique_lock, which know what they hold. Join all users before a "
     "lock is destroyed."},
    {finding, "message-misuse", "messages between processes are used as they must not be",
     "A message is sent to a process that the sender knows to have ended, or a predicate of a "
     "receive does more than look: it writes, synchronises, allocates memory or throws.",
     "A client is sent answers after its end. A predicate counts how often it is asked.",
     "heddle::down d = heddle::receive<heddle::down>();\n"
     "heddle::send(d.which, Answer{});    // it has ended",
     "Forget a process when its end is reported. Let a predicate only look."},
    {finding, "livelock", "threads wait in loops that they can never leave",
     "Each thread that has not ended waits in a loop that only reads memory, and no thread is "
     "left that could change what it reads.",
     "A flag that is never set in this schedule, or set before it is reset; two threads each of "
     "which waits for the other.",
     "thread 1: while (!b) ; a = true;\n"
     "thread 2: while (!a) ; b = true;",
     "Find, in the schedule, the write that each loop waits for, and why it does not come, or came "
     "too early."},
    {finding, "endless", "a run takes more steps than --max-steps: whether it ends is not known",
     "The run was cut off, and the others are explored. That does not prove an error: a higher "
     "limit might do. Unless something else is found, the verdict is incomplete. The message says "
     "where "
     "a thread loops, and what it does in each round that is more than waiting.",
     "Threads that keep changing something without getting anywhere: two that step aside for each "
     "other for ever, a compare-and-exchange loop that always fails. Or simply a long run.",
     "while (!try_both(a, b)) { unlock(a); yield(); lock(a); }",
     "If the loop waits for another thread, let its rounds do nothing but read: no counting, no "
     "writing; or wait with a condition variable. Bound the work of the test: fewer rounds, "
     "smaller data. Raise --max-steps if the run is meant to be long."},
    {finding, "died", "the process of the program died, or did not come to its next step",
     "The process was killed twice by the same schedule, or a run did not come to its next step "
     "for ten seconds.",
     "A thread computes for very long between two steps, or blocks in a call that heddle does not "
     "control: reading a socket or a terminal, waiting for a file lock. Memory may have been "
     "overwritten.",
     "read(socket, buffer, sizeof buffer);   // and nothing is written to it",
     "Replace what blocks outside of the program by something inside it. Make the data smaller. "
     "--isolate fork runs each schedule in a process of its own, which survives more."},
    {finding, "nondeterminism", "two runs of one schedule differ",
     "The program does not do the same when it is run the same way again, so that exploring it "
     "means nothing.",
     "It depends on what heddle does not control: the contents of a file that it also writes, "
     "addresses of the kernel, real time from a device, memory that was never initialised.",
     "srand(read_number_from(\"/dev/urandom\"));",
     "Take the dependence out of the test: fixed seeds, no files that change. If the program keeps "
     "something between runs that heddle does not restore, --isolate fork may help."},

    {warning, "leak", "memory is never freed, and nothing points to it at the end of a run",
     "At the end of a run there was a block of the heap that no code could free any more. Not "
     "every "
     "run is looked at.",
     "A way out that does not free; a node taken out of a structure without locks by two threads, "
     "each of which leaves it to the other.",
     "Item* item = make();\n"
     "if (!queue.push(item)) return;   // item is lost",
     "Free it on each way out, or let a std::unique_ptr own it."},
    {warning, "never-joined", "a thread is neither joined nor detached",
     "When the program ended, a thread that it created was still to be joined.",
     "A handle that was overwritten or forgotten.",
     "pthread_create(&thread, NULL, first, NULL);\n"
     "pthread_create(&thread, NULL, second, NULL);   // the first is lost",
     "Join each thread, or detach it if no thread waits for it."},
    {warning, "main-returned", "main returns while other threads are running",
     "The program would end here, and its other threads with it, wherever they are. Heddle lets "
     "them continue to their ends, to find what they could have done before."
     " With --main-exit kill, only until the run has 100 steps.",
     "A thread that is detached, and whose work no thread waits for.",
     "std::thread(work).detach();\n"
     "return 0;",
     "Join the threads before main returns. If it is intended, --main-exit kill leaves the warning "
     "out."},

    {limit, "inputs", "for these inputs",
     "Heddle explores schedules, not inputs: arguments, environment and files are what they were.",
     "The same program with other arguments, more threads or larger data may be wrong.",
     "int n = heddle_choose(3);   // 0, 1 and 2 are all explored",
     "Check the program with several inputs, or let it choose them: heddle_choose and the "
     "__VERIFIER_nondet_ functions are explored with all their values."},
    {limit, "nondet", "nondeterministic values are one of those of --nondet",
     "The program asks for values by __VERIFIER_nondet_ functions. Those of --nondet were tried, "
     "and no others.",
     "An error that takes another value.", "heddle run ./program --nondet 0,1,-1,100",
     "Give --nondet the values at which the program changes what it does."},
    {limit, "sequential-consistency", "under sequential consistency",
     "Steps of all threads are in one order, and each is seen at once by all. Processors and "
     "compilers do more than that where a program asks for weaker memory orders; the report says "
     "if this one does.",
     "Behaviours that only weaker orders have, such as two threads that each miss the other's "
     "store. Missing synchronisation of plain data is found all the same, as a data race.",
     "x.store(1, relaxed); a = y.load(relaxed);   // thread 1\n"
     "y.store(1, relaxed); b = x.load(relaxed);   // thread 2: a == b == 0 is not explored",
     "Use the default order, memory_order_seq_cst, where it is fast enough: then nothing is left "
     "open. Use a checker of weak memory models for the rest."},
    {limit, "races-explored", "data races are explored as ordinary accesses",
     "With --races explore, racing accesses are explored as if each were atomic and sequentially "
     "consistent.",
     "The language gives a program with a data race no meaning. What compilers make of it may do "
     "what was not explored.",
     "heddle run ./program --races explore",
     "Make the accesses atomic, and explore without the option."},
    {limit, "time-limits", "waits time out only when nothing else can happen",
     "A wait with a time limit could time out at any moment. By default it does so only when no "
     "thread can continue otherwise.",
     "What happens if a wait times out while other threads still run.",
     "heddle run ./program --timeouts explore",
     "Use --timeouts explore: then, at each wait, both are explored."},
    {limit, "spurious-wakeups", "condition variables have no spurious wake-ups",
     "A wait on a condition variable may end although it was not signalled. That was not tried.",
     "A wait that is not in a loop which checks its condition.",
     "heddle run ./program --spurious-wakeups",
     "Use --spurious-wakeups, or always wait in a loop, as wait with a predicate does."},
    {limit, "spin-loops", "loops that wait are not repeated",
     "A loop that waits for another thread can have any number of rounds. A round that changes "
     "nothing is not repeated: the run is cut off there, and counts as blocked. The run in which "
     "the other thread comes first is explored, and continues.",
     "No other run: one without those rounds ends the same. But a data race is missed if it is "
     "with a plain read in such a round that the last round does not make, and the write needs the "
     "loop "
     "to be left and is not synchronised with that.",
     "while (!ready.load()) seen = statistics;   // written when this thread has continued",
     "Use --waiting-rounds 2, which has one such round, and finds those races too: it takes more "
     "runs. Blocked runs cost time: a condition variable or atomic wait has none."},
    {limit, "library-calls",
     "memory accesses inside uninstrumented library functions are not checked",
     "Runs called functions that were not built with heddle; they are named, without those that "
     "they call in turn. Functions whose address the program takes count as called. Their calls of "
     "the threads API and of the heap are seen, their accesses to the program's memory are not.",
     "Data races and uses of freed memory inside of those functions, such as a string that is "
     "printed while another thread changes it.",
     "printf(\"%s\\n\", shared_text);",
     "Build the libraries with heddle cc and heddle c++, if what they do to shared memory "
     "matters."},
    {limit, "left-blocked", "a thread is left blocked when main ends",
     "main returned, or exit was called, while another thread waited for something that no "
     "thread would have given it: a signal, a semaphore, a lock that the thread that exits held. "
     "Threads "
     "that wait for each other's locks are a deadlock all the same.",
     "Whether the thread was meant to be left there. What it would have done after its wait was "
     "not seen.",
     "pthread_create(&server, NULL, serve, NULL);   // waits for requests\n"
     "return 0;                                     // there are no more",
     "If the thread is a server, nothing. Otherwise tell it to end, and join it."},
    {limit, "left-running", "a thread is still running when main ends",
     "main returned, or exit was called, while another thread could have continued for long, "
     "perhaps "
     "for ever. The process ends there. What the thread does next, it could also have done before: "
     "so it is followed for a while, until the run has 1000 steps, or 100 with --main-exit kill.",
     "What the thread does after that, where main would have seen it.",
     "pthread_detach(heart);   // for (;;) { ++beats; sleep(1); }\n"
     "return 0;",
     "If the thread is meant to be there until the end, nothing. Otherwise tell it to end, and "
     "join it."},
    {limit, "cut-off", "runs were cut off because they took too many steps",
     "Some runs took more steps than --max-steps. What they did until then is right, and what they "
     "would have done later is not known. The other runs are explored.",
     "What comes after that.", "while (!stop) ++rounds;", "See endless."},
    {limit, "signals", "signals to the process go to the thread that sends them",
     "A signal was sent to the process by kill while several threads had not blocked it. The "
     "system gives it to any of them, and heddle to the one that called kill.",
     "Runs in which the handler interrupts another thread.",
     "kill(getpid(), SIGUSR1);   // with two threads that take it",
     "Block the signal in all threads but one, or use raise."},
    {limit, "vacuous", "no run was complete, so nothing was checked",
     "Every run was given up on the way, because an assumption does not hold or a thread waits in "
     "a loop. This is a verdict of its own: nothing was found, but nothing was looked at either. "
     "The "
     "exit status is 3.",
     "Everything after the assumption.",
     "int n = __VERIFIER_nondet_int();   // out of --nondet: 0 or 1\n"
     "__VERIFIER_assume(n > 5);          // never holds",
     "Assume less, or give --nondet values for which it holds."},
    {limit, "functions-without-hooks",
     "memory accesses inside uninstrumented functions are not checked",
     "Runs called functions of the program that have no hooks: naked ones, and those with the "
     "attribute disable_sanitizer_instrumentation.",
     "Data races and uses of freed memory inside of those functions.",
     "__attribute__((disable_sanitizer_instrumentation)) void f(void) { ++shared; }",
     "Leave the attribute out where HEDDLE is defined."},
    {limit, "bodies-without-hooks",
     "memory accesses inside functions that the linker took from objects not built with heddle are "
     "not checked",
     "Inline functions and templates are compiled into each object that uses them, and the linker "
     "keeps one of the bodies. Of these it kept one without hooks.",
     "Data races and uses of freed memory inside of those functions.",
     "heddle c++ built-by-gcc.o main.cpp   // both use std::vector<int>::push_back",
     "Build all objects with heddle cc and heddle c++, or name those built with it first."},
    {limit, "inline-assembly", "inline assembly is not checked",
     "Runs executed inline assembly at these places that may access memory. Of single instructions "
     "such as `lock xadd` and `mov` heddle knows what they do; of this it does not.",
     "Data races, uses of freed memory, and orders of what it does with steps of other threads.",
     "asm volatile(\"rep movsb\" : \"+D\"(to), \"+S\"(from), \"+c\"(n) :: \"memory\");",
     "Use atomic operations of the language, at least where HEDDLE is defined."},
    {limit, "instructions", "memory accesses by some instructions are not checked",
     "Runs executed instructions at these places, by way of functions of the compiler, of which "
     "heddle does not know what memory they access.",
     "Data races and uses of freed memory by those instructions.", "_xsave(area, ~0);",
     "Use others where HEDDLE is defined."},
    {limit, "differing-results", "results may differ from run to run",
     "Runs executed instructions at these places that ask the processor for what is not the same "
     "each time.",
     "Runs that depend on other results. Where two runs of a schedule differ, that is found.",
     "asm volatile(\"rdtsc\" : \"=a\"(low), \"=d\"(high));",
     "Use functions of the C library, or of the compiler such as __rdtsc, which give the same in "
     "each run."},
    {limit, "threads-of-libraries",
     "threads of libraries that were not built with heddle are switched only where they call the C "
     "library",
     "Such a library has started threads, as OpenMP and the parallel algorithms of C++ do. What "
     "they do to memory is not seen, so they are switched only where they lock, wait, or call what "
     "else "
     "heddle stands in for.",
     "Data races, and orders of what the library does by atomic operations.",
     "std::for_each(std::execution::par, first, last, work);",
     "Build the library with heddle cc or heddle c++, or test without it."},
    {limit, "counted-loops",
     "polling loops are explored round by round, because their counters are used later",
     "A loop that looks at the same place again and again, and counts, is explored as one round if "
     "the number of rounds cannot be observed. Here what it counts is used for something else as "
     "well, so each number of rounds is a run of its own.",
     "Nothing is missed. There are more runs, about as many times as there are rounds.",
     "for (rounds = 0; rounds < 1000 && !ready.load(); ++rounds); statistics += rounds;",
     "Let the loop make fewer rounds where HEDDLE is defined, or leave out what is counted."},
    {limit, "bounds", "runs were given up because they exceed a limit of heddle",
     "A run came to more of something than heddle can keep: threads, condition variables, "
     "mappings, "
     "functions at exit, thread-local objects, memory. The thread that came to it went no further, "
     "and the run does not count. The verdict is incomplete, and the exit status is 3.",
     "Whatever comes after that point.",
     "for (k = 0; k < 100; ++k) pthread_create(&t[k], 0, work, 0);",
     "Make the test smaller: most errors show with two or three threads."},
    {limit, "executions", "not everything was explored: a limit was reached",
     "The exploration was stopped before it was complete: by --executions, or because runs were "
     "endless. What was seen is right, and what was not seen is not known.",
     "Any error in a schedule that was not run.", "heddle run ./program --executions 100000",
     "Make the test smaller: fewer threads, fewer operations, smaller data. Most errors show with "
     "two or three threads and a few operations each."},
};

// Kinds of findings come first, in the order of abi::finding_names, the first of which is "none".
constexpr bool is_in_order() {
  constexpr std::size_t findings = std::size(abi::finding_names) - 1;
  for (std::size_t k = 0; k < std::size(table); ++k) {
    if ((k < findings) != (table[k].sort == finding)) return false;
    if (k < findings && table[k].name != abi::finding_names[k + 1]) return false;
  }
  return true;
}
static_assert(is_in_order());

}  // namespace

std::string_view name_of(Kind::Sort sort) {
  switch (sort) {
    case finding:
      return "finding";
    case warning:
      return "warning";
    case limit:
      return "limit";
  }
  return "";
}

std::span<const Kind> kinds() { return table; }

const Kind* find_kind(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Kind::name);
  return found == std::end(table) ? nullptr : &*found;
}

}  // namespace heddle::report
