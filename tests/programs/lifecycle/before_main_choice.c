// What is chosen before main is explored as well.
// expect: finding assertion line here
#include <heddle/heddle.h>

static unsigned chosen;
__attribute__((constructor)) static void begin(void) { chosen = heddle_choose(3); }

int main(void) {
  heddle_assert(chosen < 2);  // here
}
