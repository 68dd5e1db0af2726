// The engine's end of a channel whose other end is not a worker: what is in the memory may be
// anything.
#include "native/shared_channel.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace heddle::native {
namespace {

class SharedChannelTest : public testing::Test {
 protected:
  SharedChannel channel;
  abi::RingEnd worker = channel.replies();  // the other end, as long as nothing has been written
  std::vector<std::uint64_t> copy;

  void publish(abi::ReplyHeader header, std::uint64_t bytes) {
    std::memcpy(worker.to_write(), &header, sizeof header);
    worker.publish(bytes);
    ASSERT_FALSE(channel.replies().empty());
  }
  static abi::ReplyHeader reply_of(std::uint64_t bytes) {
    abi::ReplyHeader out{};
    out.bytes = bytes;
    out.serial = 7;
    return out;
  }
};

TEST_F(SharedChannelTest, CopiesReplies) {
  for (std::uint32_t k = 0; k < 100'000; ++k) {  // round and round
    abi::ReplyHeader header = reply_of(sizeof header + 8 * (k % 5));
    header.ticket = k;
    publish(header, header.bytes);
    channel.copy_reply(copy);
    ASSERT_EQ(copy.size() * 8, header.bytes);
    ASSERT_EQ(copy[1], k);
    channel.replies().consume(header.bytes);
    ASSERT_TRUE(channel.replies().empty());
  }
}

TEST_F(SharedChannelTest, RefusesSizesThatCannotBe) {
  constexpr std::uint64_t header = sizeof(abi::ReplyHeader);
  for (const std::uint64_t size : {std::uint64_t{0}, header - 8, header + 1, header + 64,
                                   abi::reply_ring_bytes + 8, ~0UL, ~7UL}) {
    SharedChannel other;
    abi::RingEnd end = other.replies();
    const abi::ReplyHeader reply = reply_of(size);
    std::memcpy(end.to_write(), &reply, sizeof reply);
    end.publish(header);
    ASSERT_FALSE(other.replies().empty());
    EXPECT_THROW(other.copy_reply(copy), Overwritten) << size;
  }
}

TEST_F(SharedChannelTest, RefusesCountersThatCannotBe) {
  EXPECT_NO_THROW(channel.check());
  channel.shared().replies.written = abi::reply_ring_bytes + 8;
  EXPECT_THROW(channel.check(), Overwritten);
  channel.shared().replies.written = ~0UL;
  EXPECT_THROW(channel.check(), Overwritten);
  channel.shared().replies.written = 0;
  EXPECT_NO_THROW(channel.check());
  channel.shared().requests.read = 8;  // more than was written
  EXPECT_THROW(channel.check(), Overwritten);
}

// Whatever the header says, no more is copied than there can be.
TEST_F(SharedChannelTest, CopiesWhatADeadWorkerHadWritten) {
  abi::ReplyHeader header = reply_of(0);
  header.event_count = 3;
  header.waiting_count = 1;
  std::memcpy(worker.to_write(), &header, sizeof header);
  channel.copy_unfinished(copy);
  EXPECT_EQ(copy.size() * 8, sizeof header + 4 * sizeof(abi::WireEvent));
  EXPECT_EQ(copy[0], copy.size() * 8);
  header.event_count = header.waiting_count = ~0U;
  std::memcpy(worker.to_write(), &header, sizeof header);
  channel.copy_unfinished(copy);
  EXPECT_LE(copy.size() * 8, abi::reply_ring_bytes);
  EXPECT_EQ(copy[0], copy.size() * 8);
}

TEST_F(SharedChannelTest, SeesThatARunComesFurther) {
  abi::ReplyHeader header = reply_of(0);
  std::memcpy(worker.to_write(), &header, sizeof header);
  const std::uint64_t before = channel.progress();
  header.event_count = 1;
  std::memcpy(worker.to_write(), &header, sizeof header);
  EXPECT_NE(channel.progress(), before);
}

}  // namespace
}  // namespace heddle::native
