// Instructions that have their operands in registers which they do not name.
// expect: verified
// expect: limit inline assembly is not checked
// expect: limit assembly_string_instruction.c:12
// expect: limit assembly_string_instruction.c:13
#include <pthread.h>

char from[8] = "abcdefg", to[8];

void* copy(void* p) {
  const char* source = from; char* target = to; char letter;
  __asm__ __volatile__("movsb" : "+D"(target), "+S"(source));
  __asm__ __volatile__("lodsb" : "=a"(letter), "+S"(source));
  return p;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, copy, 0);
  pthread_join(a, 0);
  return to[0] != 'a';
}
