// No other process is told of it: as with threads, that ends the program.
// cflags: -std=c++20
// expect: finding terminate
#include <heddle/actors.hpp>

int main() { heddle::spawn([] { throw 1; }).join(); }
