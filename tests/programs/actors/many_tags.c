// Tags are any numbers, and more than fit into a word.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <heddle/actors.h>

enum { n = 200 };

static void sender(void* to) {
  for (uint64_t k = 0; k < n; ++k)
    heddle_send(*(heddle_process*)to, k * 1000000000000, &k, sizeof k);
}

int main(void) {
  heddle_process self = heddle_self();
  const heddle_process other = heddle_spawn(sender, &self);
  for (uint64_t k = n; k-- > 0;) {
    heddle_message* m = heddle_receive(k * 1000000000000);
    assert(*(uint64_t*)heddle_data(m) == k);
    heddle_free_message(m);
  }
  heddle_join(other);
}
