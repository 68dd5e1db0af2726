// Semaphores with names are shared with others, and outlive the run.
// expect: misuse sem_open
#define _GNU_SOURCE
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
  sem_t* s = sem_open("/heddle-test", O_CREAT, 0600, 1);
  sem_wait(s);
  sem_unlink("/heddle-test");
}
