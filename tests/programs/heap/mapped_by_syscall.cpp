// Memory that is mapped by a raw system call is memory like other.
// expect: verified
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

int main() {
  auto* p = reinterpret_cast<std::atomic<int>*>(
      syscall(SYS_mmap, nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  assert(*p == 0);
  std::thread t([=] { ++*p; });
  ++*p;
  t.join();
  p = reinterpret_cast<std::atomic<int>*>(syscall(SYS_mremap, p, 4096, 8192, MREMAP_MAYMOVE));
  assert(*p == 2 && p[1024] == 0);
  assert(syscall(SYS_madvise, p, 8192, MADV_DONTNEED) == 0 && *p == 0);
  assert(syscall(SYS_mprotect, p, 4096, PROT_READ) == 0 && *p == 0);
  assert(syscall(SYS_munmap, p, 8192) == 0);
}
