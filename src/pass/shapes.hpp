// Loops are brought into shapes in which less is carried from round to round.
#pragma once

#include <llvm/IR/Function.h>

#include "pass/hints.hpp"

namespace heddle::pass {

// `a = x; while (a) a = x;` reads in one place: `for (;;) { a = x; if (!a) break; }`. To be called
// after accesses have got their hooks, which move with them. Nothing that is executed changes.
void join_first_rounds(llvm::Function& f);

// `while (a) ... a = x;` looks at the end of a round at what that round has read, rather than at
// the beginning of the next: `if (a) do ... a = x; while (a);`. Only where there is nothing to be
// told of before it looks.
void rotate_loops(llvm::Function& f, Hints& hints);

}  // namespace heddle::pass
