// Functions that keep something between calls.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "show.h"

int main(void) {
  char text[] = ",one,,two three", state[64];
  SHOW_NUMBER(rand());
  srand(7);
  SHOW_NUMBER(rand());
  SHOW_NUMBER(random());
  initstate(3, state, sizeof state);
  SHOW_NUMBER(random());
  srand48(5);
  SHOW_NUMBER(drand48() * 1000000);
  SHOW_NUMBER(lrand48());
  unsigned short own[3] = {1, 2, 3};
  SHOW_NUMBER(erand48(own) * 1000000);
  SHOW_NUMBER(strlen(strtok(text, ",")));
  SHOW_NUMBER(strlen(strtok(0, ", ")));
  SHOW_NUMBER(strlen(strtok(0, ", ")));
  SHOW_NUMBER(strtok(0, ", ") == 0);
  SHOW_NUMBER(strtok(0, ", ") == 0);
  time_t when = 1700000000;
  struct tm* parts = gmtime(&when);
  SHOW_NUMBER(parts->tm_hour * 10000 + parts->tm_min * 100 + parts->tm_sec);
  when = 0;
  SHOW_NUMBER(gmtime(&when) == parts);
  SHOW_NUMBER(localtime(&when) == parts);
  SHOW_NUMBER(parts->tm_year);
  SHOW_NUMBER(strcmp(asctime(gmtime(&when)), "Thu Jan  1 00:00:00 1970\n"));
  setenv("TZ", "XYZ+3", 1);
  SHOW_NUMBER(strcmp(ctime(&when), "Wed Dec 31 21:00:00 1969\n"));
  SHOW_NUMBER(strcmp(getenv("TZ"), "XYZ+3"));
  SHOW_ERRNO(unsetenv("TZ"));
  SHOW_NUMBER(getenv("TZ") == 0);
  SHOW_ERRNO(setenv("", "x", 1));
}
