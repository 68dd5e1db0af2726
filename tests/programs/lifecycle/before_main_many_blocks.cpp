// More blocks than one would think come from before main, and are freed in runs.
// expect: verified
#include <vector>

static std::vector<int*> blocks;
struct Maker {
  Maker() {
    for (int k = 0; k < 70000; ++k) blocks.push_back(new int(k));
  }
};
static Maker maker;

int main() {
  for (int* p : blocks) delete p;
}
