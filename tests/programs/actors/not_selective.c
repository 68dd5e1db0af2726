// As selective.c, but the receiver takes messages as they come.
// allow: main returns while other threads are running
// expect: verified optimal=24 observers=24
#include <heddle/actors.h>
#include <stdint.h>

enum { n = 4 };
static heddle_process receiver;

static void sender(void* tag) { heddle_send(receiver, (uintptr_t)tag, NULL, 0); }

int main(void) {
  receiver = heddle_self();
  for (uintptr_t k = 0; k < n; ++k) heddle_spawn(sender, (void*)k);
  const heddle_pattern any = heddle_any();
  for (int k = 0; k < n; ++k) heddle_free_message(heddle_receive_message(&any, 1, -1, NULL));
}
