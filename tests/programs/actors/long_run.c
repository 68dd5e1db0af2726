// Thousands of messages in one run.
// expect: verified optimal=1 observers=1
// options: --max-steps 250000
// runs: one
#include <assert.h>
#include <heddle/actors.h>

enum { n = 3000 };

static void consumer(void* unused) {
  for (int k = 0; k < n; ++k) {
    heddle_message* m = heddle_receive(0);
    assert(*(int*)heddle_data(m) == k);
    heddle_free_message(m);
  }
  (void)unused;
}

int main(void) {
  const heddle_process other = heddle_spawn(consumer, NULL);
  for (int k = 0; k < n; ++k) heddle_send(other, 0, &k, sizeof k);
  heddle_join(other);
}
