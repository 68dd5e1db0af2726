// The C library loads a table of characters by itself.
// expect: verified
#include <assert.h>
#include <iconv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static atomic_int order;

static void* change(void* unused) {
  ++order;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, change, NULL);
  pthread_create(&b, NULL, change, NULL);
  iconv_t table = iconv_open("UTF-8", "ISO-8859-15");
  if (table == (iconv_t)-1) return 0;  // it is not installed
  char from[] = "a\xa4", to[16] = "";
  char *in = from, *out = to;
  size_t in_size = 2, out_size = 15;
  assert(iconv(table, &in, &in_size, &out, &out_size) == 0 && strcmp(to, "a\xe2\x82\xac") == 0);
  iconv_close(table);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
