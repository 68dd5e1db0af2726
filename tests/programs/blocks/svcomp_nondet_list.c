// As in SV-COMP: the unknown number is one of those in a list.
// options: --nondet=3,5,9
// expect: verified optimal=3 observers=3
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  const int x = __VERIFIER_nondet_int();
  assert(x == 3 || x == 5 || x == 9);
}
