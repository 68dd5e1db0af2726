// expect: finding use-after-free line here
static int* block;
struct Maker {
  Maker() {
    block = new int(1);
    delete block;
  }
};
static Maker maker;

int main() {
  return *block - 1;  // here
}
