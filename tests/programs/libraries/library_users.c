// expect: verified
#include <assert.h>
#include <locale.h>
#include <pthread.h>
#include <pwd.h>
#include <stdatomic.h>
#include <stddef.h>
#include <wctype.h>

static atomic_int order;

static void* change(void* unused) {
  ++order;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, change, NULL);
  pthread_create(&b, NULL, change, NULL);
  const struct passwd* root = getpwnam("root");
  assert(root == NULL || root->pw_uid == 0);
  assert(getpwnam("nobody of this name") == NULL);
  if (setlocale(LC_ALL, "C.UTF-8") != NULL) assert(towupper(0xe9) == 0xc9);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
