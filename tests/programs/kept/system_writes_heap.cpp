// The same for memory that was allocated before main.
// expect: verified
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

static std::vector<char> buffer(20000);
static auto* const mapped = static_cast<char*>(
    mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
static std::atomic<int> order;

int main() {
  for (const char c : buffer) assert(c == 0);
  for (int k = 0; k < 8192; ++k) assert(mapped[k] == 0);
  std::thread other([] { ++order; });
  std::thread t([] {
    const int fd = open("/etc/passwd", O_RDONLY);
    ++order;
    assert(pread(fd, buffer.data() + 9000, 64, 0) == 64);
    assert(pread(fd, mapped + 4090, 64, 0) == 64);
    ++order;
    close(fd);
  });
  t.join();
  other.join();
}
