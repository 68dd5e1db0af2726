// expect: finding signal
static int* nowhere;
struct Writer {
  Writer() { *nowhere = 3; }
};
static Writer writer;

int main() {}
