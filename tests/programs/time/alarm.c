// Signals that come at any time are not supported.
// expect: misuse alarm
#include <unistd.h>

int main(void) { alarm(1); }
