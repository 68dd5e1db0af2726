// There is a run for each number of rounds: those that are too long are cut off, and the others are
// explored.
// expect: finding endless
// expect: incomplete runs cut off
// runs: one
#include <pthread.h>

int __VERIFIER_nondet_int(void);

int main(void) {
  while (__VERIFIER_nondet_int())
    ;
}
