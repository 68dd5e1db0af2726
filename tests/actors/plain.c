#include <heddle/actors.h>
#include <assert.h>
#include <stdio.h>
static void worker(void* parent) {
  heddle_message* m = heddle_receive(1);
  long x = *(long*)heddle_data(m);
  heddle_process to = m->sender;
  heddle_free_message(m);
  x *= 2;
  heddle_send(to, 2, &x, sizeof x);
  (void)parent;
}
int main(void) {
  heddle_process w = heddle_spawn(worker, 0);
  long x = 21;
  heddle_send(w, 1, &x, sizeof x);
  heddle_message* m = heddle_receive(2);
  assert(*(long*)heddle_data(m) == 42);
  heddle_free_message(m);
  heddle_join(w);
  puts("ok");
}
