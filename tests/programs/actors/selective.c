// Senders with different tags, and a receiver that takes their messages in a fixed order: no receive
// can tell in which order they came.
// allow: main returns while other threads are running
// expect: verified optimal=24 observers=1
#include <assert.h>
#include <heddle/actors.h>
#include <stdint.h>

enum { n = 4 };
static heddle_process receiver;

static void sender(void* tag) { heddle_send(receiver, (uintptr_t)tag, NULL, 0); }

int main(void) {
  receiver = heddle_self();
  for (uintptr_t k = 0; k < n; ++k) heddle_spawn(sender, (void*)k);
  for (uintptr_t k = 0; k < n; ++k) {
    heddle_message* m = heddle_receive(k);
    assert(m->tag == k);
    heddle_free_message(m);
  }
}
