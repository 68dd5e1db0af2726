// Without a handler, the signal ends the process.
// expect: finding signal
#include <signal.h>
#include <unistd.h>

int main(void) { kill(getpid(), SIGTERM); }
