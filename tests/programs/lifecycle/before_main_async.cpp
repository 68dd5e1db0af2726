// expect: verified
#include <cassert>
#include <future>

static std::future<int> answer = std::async(std::launch::async, [] { return 42; });

int main() { assert(answer.get() == 42); }
