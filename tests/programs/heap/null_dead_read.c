// expect: finding signal line here
// What is not used is read all the same, and faults.
int* nowhere;

int main(void) {
  int v = *nowhere;  // here
  (void)v;
}
