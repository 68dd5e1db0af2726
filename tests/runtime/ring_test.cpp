#include "runtime/wire/ring.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <string_view>
#include <thread>

namespace heddle::abi {
namespace {

constexpr std::uint64_t ring_size = 1 << 16;

// Mapped twice in a row, as in a channel.
class RingTest : public testing::Test {
 protected:
  RingTest() {
    const int file = memfd_create("ring", 0);
    EXPECT_EQ(ftruncate(file, ring_size), 0);
    memory = static_cast<char*>(
        mmap(nullptr, 2 * ring_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    for (char* half : {memory, memory + ring_size})
      EXPECT_EQ(mmap(half, ring_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0),
                half);
    close(file);
    writer = RingEnd(ring, memory, ring_size, false);
    reader = RingEnd(ring, memory, ring_size, false);
  }
  ~RingTest() override { munmap(memory, 2 * ring_size); }

  void write(std::string_view text) {
    ASSERT_GE(writer.room(text.size()), text.size());
    std::memcpy(writer.to_write(), text.data(), text.size());
    writer.publish(text.size());
  }
  std::string read(std::uint64_t size) {
    EXPECT_FALSE(reader.empty());
    EXPECT_TRUE(reader.is_written(size));
    const std::string out(reader.to_read(), size);
    reader.consume(size);
    return out;
  }

  Ring ring{};
  char* memory;
  RingEnd writer, reader;
};

TEST_F(RingTest, WhatIsWrittenIsRead) {
  EXPECT_TRUE(reader.empty());
  write("one");
  write("second");
  EXPECT_EQ(read(3), "one");
  EXPECT_EQ(read(6), "second");
  EXPECT_TRUE(reader.empty());
}

TEST_F(RingTest, PiecesBeginInTheWindowAndLieInOnePiece) {
  const std::string piece(1500, 'x');
  for (unsigned k = 0; k < 200; ++k) {
    ASSERT_LT(static_cast<std::uint64_t>(writer.to_write() - memory), window_of(ring_size));
    write(piece + std::to_string(k));
    ASSERT_EQ(read(piece.size() + std::to_string(k).size()), piece + std::to_string(k));
  }
}

TEST_F(RingTest, APieceMayBeAsLongAsTheRing) {
  write("a");
  EXPECT_EQ(read(1), "a");
  const std::string piece(ring_size - 64, 'y');
  ASSERT_GE(writer.room(piece.size()), piece.size());
  write(piece);
  EXPECT_EQ(read(piece.size()), piece);
}

TEST_F(RingTest, ThereIsNoRoomForWhatHasNotBeenRead) {
  write(std::string(100, 'z'));
  EXPECT_EQ(writer.room(ring_size), ring_size - 100);
  read(100);
  EXPECT_EQ(writer.room(ring_size), ring_size);
}

TEST_F(RingTest, TheNextPieceCanBeSeenBeforeTheFirstIsConsumed) {
  write("one");
  ASSERT_FALSE(reader.empty());
  EXPECT_EQ(reader.to_read_after(3), nullptr);
  write("two");
  ASSERT_NE(reader.to_read_after(3), nullptr);
  EXPECT_EQ(std::string(reader.to_read_after(3), 3), "two");
  EXPECT_EQ(read(3), "one");
}

TEST_F(RingTest, NoMoreIsReadThanWasWritten) {
  write("one");
  ASSERT_FALSE(reader.empty());
  EXPECT_TRUE(reader.is_written(3));
  EXPECT_FALSE(reader.is_written(4));
  EXPECT_FALSE(reader.is_written(~0ULL / 2));
}

TEST_F(RingTest, AnOtherSideThatLiesIsNoticed) {
  write("one");
  EXPECT_TRUE(reader.can_be_read());
  EXPECT_TRUE(writer.can_be_written());
  ring.written = ring_size + 1;  // more than there can be
  EXPECT_FALSE(reader.can_be_read());
  ring.written = 3;
  ring.read = 4;  // more than was written
  EXPECT_FALSE(writer.can_be_written());
  read(3);
  ring.written = 2;  // less than was read
  EXPECT_FALSE(reader.can_be_read());
}

TEST_F(RingTest, ACopyOfTheWriterInAnotherProcessIsCaughtUpWith) {
  RingEnd child = writer;
  std::memcpy(child.to_write(), "abc", 3);
  child.publish(3);
  writer.catch_up();
  write("de");
  EXPECT_EQ(read(3), "abc");
  EXPECT_EQ(read(2), "de");
}

TEST_F(RingTest, WaitingTimesOut) {
  const timespec limit{0, 1'000'000};
  reader.await(&limit);
  EXPECT_TRUE(reader.empty());
  EXPECT_EQ(ring.sleeping, 0U);
}

TEST_F(RingTest, AReaderThatSleepsIsWoken) {
  std::thread other([&] {
    while (ring.sleeping == 0) std::this_thread::yield();
    write("late");
    writer.wake();
  });
  while (reader.empty()) reader.await(nullptr);
  other.join();
  EXPECT_EQ(read(4), "late");
}

// One that does not wait itself wakes the other side after some pieces.
TEST_F(RingTest, AReaderIsWokenForSeveralPiecesAtOnce) {
  ring.sleeping = 1;
  for (unsigned k = 0; k < 15; ++k) write("x");
  EXPECT_EQ(ring.signal, 0U);
  write("x");
  EXPECT_EQ(ring.signal, 1U);
}

}  // namespace
}  // namespace heddle::abi
