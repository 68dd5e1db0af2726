// Benchmarks of shared memory and locks that papers on DPOR have used since Flanagan and Godefroid
// 2005. Their counts are of table 6.1 of the thesis on parallel Concuerror (2018), or follow.
#include <string>

#include "interp/builder.hpp"
#include "interp/families.hpp"

namespace heddle::interp {
namespace {

using enum Compare;

constexpr int many = 1000;  // threads

std::string named(const char* name, int i) { return name + std::to_string(i); }

// p looks for the zero with the highest index and stops there; each other thread sets an element to
// one more than the element before it. (n + 3) * 2^(n - 2) traces (11: 7168).
Program lastzero(int n) {
  Builder b("lastzero", n);
  const Array a = b.array("a", n + 1);
  ThreadBuilder p = b.thread("p");
  const Reg at = p.reg(), seen = p.reg();
  for (int i = n; i >= 0; --i) p.set(at, i).read(seen, a[i]).jump_if(seen, eq, 0, "found");
  p.label("found");
  for (int i = 1; i <= n; ++i) {
    ThreadBuilder q = b.thread(named("q", i));
    const Reg v = q.reg();
    q.read(v, a[i - 1]).write(a[i], v + 1);
  }
  return b.build();
}

// 2^n traces (15: 32768).
Program readers(int n) {
  Builder b("readers", n);
  const Place x = b.memory("x");
  b.thread("w").write(x, 1);
  for (int i = 0; i < n; ++i) {
    ThreadBuilder r = b.thread(named("r", i));
    r.read(r.reg(), x);
  }
  return b.build();
}

// (n + 1)! traces, n * 2^(n - 1) + 1 with observers.
Program writers(int n) {
  Builder b("writers", n);
  const Place x = b.memory("x");
  ThreadBuilder r = b.thread("r");
  r.read(r.reg(), x);
  for (int i = 0; i < n; ++i) b.thread(named("w", i)).write(x, i + 1);
  return b.build();
}

// Flanagan and Godefroid 2005: each thread puts four messages into a hash table, where
// one that finds its slot taken tries the next. The first messages to collide are of the 12th
// thread: 8 traces for 12, 4096 for 15. 32 threads fill the table.
constexpr int table_size = 128;
constexpr int messages = 4;

Program indexer(int n) {
  Builder b("indexer", n);
  const Array table = b.array("table", table_size);
  for (int id = 0; id < n; ++id) {
    ThreadBuilder t = b.thread(named("t", id));
    const Reg m = t.reg(), w = t.reg(), h = t.reg(), stored = t.reg();
    t.label("message").plus(m, 1).set(w, m).times(w, 11).plus(w, id);
    t.set(h, w).times(h, 7).modulo(h, table_size);
    t.label("probe").cas(stored, table[h], 0, w).jump_if(stored, eq, 1, "stored");
    t.plus(h, 1).modulo(h, table_size).jump("probe");
    t.label("stored").jump_if(m, lt, messages, "message");
  }
  return b.build();
}

// Flanagan and Godefroid 2005: each thread allocates a block for its inode, unless it has
// one. Threads 13 apart look for the same block first: 2 traces for 14 threads, 8 for 16, 2048 for
// 24. There are 26 blocks.
constexpr int inodes = 32;
constexpr int blocks = 26;

Program filesystem(int n) {
  Builder b("filesystem", n);
  const Array locki = b.mutexes("locki", inodes), inode = b.array("inode", inodes);
  const Array lockb = b.mutexes("lockb", blocks), busy = b.array("busy", blocks);
  for (int id = 0; id < n; ++id) {
    const int i = id % inodes;
    ThreadBuilder t = b.thread(named("t", id));
    const Reg block = t.reg(), used = t.reg();
    t.lock(locki[i]).read(used, inode[i]).jump_if(used, ne, 0, "done");
    t.set(block, i * 2 % blocks);
    t.label("try").lock(lockb[block]).read(used, busy[block]).jump_if(used, ne, 0, "next");
    t.write(busy[block], 1).write(inode[i], block + 1).unlock(lockb[block]).jump("done");
    t.label("next").unlock(lockb[block]).plus(block, 1).modulo(block, blocks).jump("try");
    t.label("done").unlock(locki[i]);
  }
  return b.build();
}

constexpr Family rows[] = {
    {"lastzero", "n threads that copy along an array, and a search for its last zero", 5, 1, many,
     lastzero},
    {"readers", "a writer and n readers", 5, 1, many, readers},
    {"writers", "a reader and n writers", 4, 1, many, writers},
    {"indexer", "n threads that fill a hash table (Flanagan and Godefroid 2005)", 12, 1,
     table_size / messages, indexer},
    {"filesystem", "n threads that allocate blocks for inodes (Flanagan and Godefroid 2005)", 14, 1,
     blocks, filesystem},
};

}  // namespace

std::span<const Family> classic_families() { return rows; }

}  // namespace heddle::interp
