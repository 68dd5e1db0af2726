// No value that is tried passes the assumption.
// expect: vacuous an assumption does not hold
#include <assert.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 5);
  assert(0);
}
