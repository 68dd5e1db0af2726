// Model programs as text: what tests paste, and what the fuzzer's shrinker prints.
//
// A line at a time; `#` starts a comment. First the declarations, one a line:
//
//   var x      var x = 3      heap x      array a 5      array a 5 = 1
//   mutex m    mutexes m 5    rwlock l    cond c         sem s = 1         barrier b = 2
//
// then the threads, `thread p: ...`, or `created p: ...` for one that another creates. A thread
// extends to the next line that starts with `thread` or `created`; `;` and the ends of lines
// separate its instructions. A VALUE is an integer, $0 .. $63 (a register), $0+3 or $0-1; an object
// is NAME, NAME[3] or NAME[$0]; CMP is == != < <= > or >=.
//
//   $0 = x          $0 = (x CMP VALUE)       assume x CMP VALUE
//   x = VALUE       x += VALUE               alloc x           free x
//   $0 = fetch_add x VALUE    $0 = exchange x VALUE    $0 = cas x VALUE VALUE
//   lock m          $0 = try_lock m          unlock m
//   read_lock l     $0 = try_read_lock l     read_unlock l
//   write_lock l    $0 = try_write_lock l    write_unlock l
//   wait c m        signal c                 broadcast c
//   sem_wait s      $0 = sem_try_wait s      sem_post s        barrier b
//   $0 = timed_lock m         $0 = timed_wait c m      $0 = timed_sem_wait s
//   create p        join p                   send p VALUE      send $1 VALUE (to thread number $1)
//   $0 = receive 0,2     $0 = try_receive *    (the tags accepted; also none, or $1, their bits)
//   $0 = choose 3        fence                 atomic { ... }
//   $0 := VALUE     $0 += VALUE    $0 *= VALUE    $0 %= VALUE    claim $0 CMP VALUE
//   LABEL:          goto LABEL     if $0 CMP VALUE goto LABEL
//
// `$0 =` may be left out wherever the result is not needed, except that of `choose`. A jump stays
// on its side of an atomic block's braces. The words that begin an instruction are not names.
#pragma once

#include <string>
#include <string_view>

#include "interp/program.hpp"

namespace heddle::interp {

// The program, which is valid and has no name. Throws Misuse, "line 3: what is wrong, expected
// something else", if the text is not a program.
Program parse_program(std::string_view text);

// A text that parse_program reads as this program again, all but its name. Throws Misuse if it is
// not valid or no text says it: it has names that are not names above, arrays of another form,
// jumps into or out of atomic blocks, or something in a field that the instruction does not use.
std::string print_program(const Program& program);

}  // namespace heddle::interp
