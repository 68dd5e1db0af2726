// Odd sizes and alignments, as the C library takes them.
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "show.h"

static void* volatile block;
static size_t huge = SIZE_MAX / 2 + 100;

int main(void) {
  void* out = &out;
  SHOW_ERROR(posix_memalign(&out, 3, 8));
  SHOW_ERROR(posix_memalign(&out, 4, 8));
  SHOW_ERROR(posix_memalign(&out, 0, 8));
  SHOW_ERROR(posix_memalign(&out, 24, 8));
  SHOW_ERROR(posix_memalign(&out, 64, huge));
  SHOW_NUMBER(out == &out);
  SHOW_ERROR(posix_memalign(&out, 8, 0));
  SHOW_NUMBER(out != 0);
  free(out);
  SHOW_ERROR(posix_memalign(&out, 4096, 10));
  SHOW_NUMBER((uintptr_t)out % 4096);
  free(out);

  SHOW_NUMBER((uintptr_t)(block = aligned_alloc(256, 3)) % 256);
  free(block);
  SHOW_NUMBER((uintptr_t)(block = memalign(100, 3)) % 128);
  free(block);
  SHOW_NUMBER((uintptr_t)(block = valloc(3)) % 4096);
  free(block);
  SHOW_NUMBER((uintptr_t)(block = malloc(3)) % 16);
  SHOW_NUMBER(malloc_usable_size(block) >= 3);
  free(block);
  SHOW_NUMBER(malloc_usable_size(0));

  SHOW_NUMBER((block = malloc(0)) != 0);
  SHOW_NUMBER((block = realloc(block, 10)) != 0);
  memcpy(block, "123456789", 10);
  SHOW_NUMBER((block = realloc(block, 5000)) != 0);
  SHOW_NUMBER(strcmp(block, "123456789"));
  errno = 0;
  SHOW_NUMBER(realloc(block, huge) == 0);
  SHOW_ERROR(errno);
  SHOW_NUMBER(strcmp(block, "123456789"));
  errno = 0;
  SHOW_NUMBER(reallocarray(block, huge, 3) == 0);
  SHOW_ERROR(errno);
  SHOW_NUMBER((block = reallocarray(block, 2, 5)) != 0);
  SHOW_NUMBER(strcmp(block, "123456789"));
  SHOW_NUMBER(realloc(block, 0) == 0);
  SHOW_NUMBER((block = realloc(0, 0)) != 0);
  free(block);

  errno = 0;
  SHOW_NUMBER((block = calloc(huge, 16)) == 0);
  SHOW_ERROR(errno);
  errno = 0;
  SHOW_NUMBER((block = malloc(huge)) == 0);
  SHOW_ERROR(errno);
  SHOW_NUMBER(*(char*)(block = calloc(3, 5)));
  free(block);
  char* copy = strdup("abc");
  char* text = 0;
  SHOW_NUMBER(asprintf(&text, "%s-%d", copy, 7));
  SHOW_NUMBER(strcmp(text, "abc-7"));
  free(copy);
  free(text);
  return 0;
}
