// A block from before main is freed in main, and another one is forgotten: one for one, but a leak.
// expect: verified optimal=1 observers=1
// expect: warning leak
static int* volatile early = new int(1);
static int* volatile late;

int main() {
  delete early;
  early = nullptr;
  late = new int(2);
  late = nullptr;
}
