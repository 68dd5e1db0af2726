// Threads wait at a condition variable, a barrier, a semaphore and for a lock that was taken twice,
// while others' steps are taken in different orders.
// expect: verified
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable ready;
std::recursive_mutex again;
pthread_barrier_t barrier;
sem_t semaphore;
bool go = false;
std::atomic<int> x = 0;

void waits() {
  {
    std::unique_lock lock(m);
    ready.wait(lock, [] { return go; });
  }
  pthread_barrier_wait(&barrier);
  sem_wait(&semaphore);
  std::lock_guard outer(again);
  x.fetch_add(1);
}

int main() {
  pthread_barrier_init(&barrier, nullptr, 2);
  sem_init(&semaphore, 0, 0);
  std::thread a(waits);
  {
    std::lock_guard lock(m);
    go = true;
  }
  ready.notify_one();
  pthread_barrier_wait(&barrier);
  {
    std::lock_guard outer(again), inner(again);
    sem_post(&semaphore);
    x.fetch_add(1);
  }
  a.join();
  assert(x == 2);
  pthread_barrier_destroy(&barrier);
  sem_destroy(&semaphore);
}
