// What the heap promises: zeros, contents kept, alignment, and nothing of it forgotten.
// expect: verified optimal=1 observers=1
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

bool aligned(const void* p, std::size_t to) {
  return reinterpret_cast<std::uintptr_t>(p) % to == 0;
}

struct alignas(128) Wide {
  char bytes[256];
};

int main() {
  for (std::size_t size : {1, 7, 24, 100, 5000, 300000}) {
    auto* dirty = static_cast<char*>(std::malloc(size));
    std::memset(dirty, 0x5a, size);
    std::free(dirty);
    auto* zeros = static_cast<char*>(std::calloc(size, 1));
    for (std::size_t i = 0; i < size; ++i) assert(zeros[i] == 0);
    std::memset(zeros, 7, size);
    auto* larger = static_cast<char*>(std::realloc(zeros, size * 3));
    assert(larger[0] == 7 && larger[size - 1] == 7 && aligned(larger, 16));
    larger = static_cast<char*>(std::realloc(larger, 1));
    assert(larger[0] == 7);
    std::free(larger);
  }
  void* p = nullptr;
  assert(posix_memalign(&p, 4096, 100) == 0 && aligned(p, 4096));
  std::free(p);
  p = std::aligned_alloc(64, 128);
  assert(aligned(p, 64));
  std::free(p);
  char* copy = strdup("a copy");
  assert(std::strcmp(copy, "a copy") == 0);
  std::free(copy);
  std::free(nullptr);
  const auto wide = std::make_unique<Wide[]>(2);
  assert(aligned(&wide[1], 128) && wide[1].bytes[255] == 0);
  delete new (std::nothrow) long;
}
