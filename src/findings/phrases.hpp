// The words for findings and their traces: every phrase of a report is made here, from data.
//
// The words for what a step does are those of the table of operations (runtime/abi/operations.def),
// by the table of verbs in phrases.cpp.
#pragma once

#include <string>
#include <string_view>

#include "findings/finding.hpp"
#include "findings/repeats.hpp"
#include "findings/trace.hpp"

namespace heddle::findings {

// "compare-exchange", for tools.
std::string_view name_of(Verb verb);
// "rwlock", for tools.
std::string_view name_of(ObjectClass kind);

// "lock m", "read x → 2", "compare-exchange top: null → block #1", "blocked locking m, held by
// thread 2": what the row is about.
std::string what(const Row& row);

// "from thread 2": which threads it depends on; empty if on none.
std::string origin_text(const Row& row);

// "file.c:12"; empty if it is not known.
std::string text_of(const Place& place);
// " at file.c:12"; empty if it is not known.
std::string at(const Place& place);

// "16 bytes allocated by thread 0 at x.c:3", and ", freed by thread 1 at x.c:9" if it was freed.
std::string allocation_of(const Block& block);
std::string release_of(const Block& block);
// "block #1: 16 bytes allocated by thread 0 at x.c:3".
std::string text_of(const Block& block);

// "read of size 4 of 'n' by thread 2 races with the previous write of size 4 by thread 1 at x.c:7".
std::string message_of(const DataRace& race);

// "x.c:3:7: error: ... [data-race]", as compilers print it; its message may have several lines.
std::string headline(const Finding& finding);
// "x.c:9:7: note: previous write of size 4 by thread 1" of a data race, else empty.
std::string note_of(const Finding& finding);

// What a stack is of, as a heading.
std::string title_of(const Stack& stack);

// "thread 1 loops at x.c:7, and each round has an effect: write n = 3 (x.c:8)".
std::string text_of(const Repetition& repetition);

}  // namespace heddle::findings
