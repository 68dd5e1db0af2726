// The client of brokers: URLs, the protocol, servers that do not answer as they should; and what a
// job has that is not in the broker.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "base/random.hpp"
#include "broker/address.hpp"
#include "broker/client.hpp"
#include "broker/record.hpp"
#include "broker/resp.hpp"
#include "broker_server.hpp"

namespace heddle::broker {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::SizeIs;
using testing::ThrowsMessage;

struct BrokerAddressTest : testing::Test {
  BrokerAddressTest() { unsetenv("HEDDLE_BROKER_PASSWORD"); }

  static auto refuses(const std::string& url, const Access& access, const std::string& why) {
    EXPECT_THAT([&] { parse_address(url, access); }, ThrowsMessage<Misuse>(HasSubstr(why))) << url;
  }
};

TEST_F(BrokerAddressTest, HasHostPortAndDatabase) {
  const Address plain = parse_address("redis://localhost", {});
  EXPECT_EQ(plain.kind, Address::Kind::tcp);
  EXPECT_EQ(plain.host, "localhost");
  EXPECT_EQ(plain.port, 6379);
  EXPECT_TRUE(plain.loopback_only);
  const Address six = parse_address("redis://[::1]:7000/3", {});
  EXPECT_EQ(six.host, "::1");
  EXPECT_EQ(six.port, 7000);
  EXPECT_EQ(six.database, 3u);
  EXPECT_EQ(six.text(), "redis://[::1]:7000/3");
  EXPECT_EQ(parse_address("redis://127.0.0.2/", {}).host, "127.0.0.2");
  EXPECT_EQ(parse_address("unix:///a/b", {}).host, "/a/b");
}

TEST_F(BrokerAddressTest, TakesThePasswordFromFileOrEnvironmentOnly) {
  setenv("HEDDLE_BROKER_PASSWORD", "secret", 1);
  const Address address = parse_address("rediss://me@broker.example:1", {});
  EXPECT_EQ(address.user, "me");
  EXPECT_EQ(address.password, "secret");
  EXPECT_THAT(address.text(), Not(HasSubstr("secret")));
  const TemporaryDirectory directory;
  const std::string file = (directory.path() / "password").string();
  write_file(file, "other\n");
  EXPECT_EQ(parse_address("unix://me@/s", {.password_file = file}).password, "other");
  write_file(file, "\n");
  refuses("unix:///s", {.password_file = file}, "has no password");
  EXPECT_THAT([] { parse_address("rediss://me:word@host", {}); },
              ThrowsMessage<Misuse>(AllOf(HasSubstr("--broker-password-file"),
                                          Not(HasSubstr("word@")), Not(HasSubstr("me:word")))));
  unsetenv("HEDDLE_BROKER_PASSWORD");
  refuses("redis://me@localhost", {}, "no password for the user 'me'");
}

TEST_F(BrokerAddressTest, IsSafeUnlessToldOtherwise) {
  refuses("redis://10.0.0.1", {}, "--insecure-broker");
  refuses("redis://localhost.example", {}, "use rediss://");
  refuses("redis://128.0.0.1", {}, "use rediss://");
  refuses("rediss://10.0.0.1", {}, "without a password");
  const Address forced = parse_address("redis://10.0.0.1", {.insecure = true});
  EXPECT_FALSE(forced.loopback_only);
}

TEST_F(BrokerAddressTest, RefusesWhatIsNone) {
  for (const char* url : {"",
                          "redis",
                          "http://localhost",
                          "redis://",
                          "redis://:1",
                          "redis://a b",
                          "redis://localhost:0",
                          "redis://localhost:65536",
                          "redis://localhost:x",
                          "redis://localhost/x",
                          "redis://localhost/-1",
                          "redis://[::1",
                          "unix://",
                          "redis://[::1]x",
                          "unix://path",
                          "unix:///",
                          "redis://@localhost",
                          "redis://localhost?a",
                          "redis://localhost#a",
                          "redis://localhost/1/2"})
    refuses(url, {}, "not the URL of a broker");
}

Value read_from(std::string_view bytes, Reader::Limits limits = {}) {
  Reader reader(
      [&](std::span<char> to) -> std::size_t {
        if (bytes.empty()) throw Lost("end");
        const std::size_t n = std::min<std::size_t>({bytes.size(), to.size(), 3});
        std::copy_n(bytes.begin(), n, to.begin());
        bytes.remove_prefix(n);
        return n;
      },
      limits);
  return reader.read();
}

TEST(BrokerProtocolTest, AnswersAreRead) {
  EXPECT_EQ(read_from("+OK\r\n").text(), "OK");
  EXPECT_EQ(read_from(":-12\r\n").number(), -12);
  EXPECT_EQ(read_from("$5\r\na\r\nbc\r\n").text(), "a\r\nbc");
  EXPECT_EQ(read_from("$0\r\n\r\n").text(), "");
  EXPECT_TRUE(read_from("$-1\r\n").is_nothing());
  EXPECT_TRUE(read_from("*-1\r\n").is_nothing());
  EXPECT_EQ(read_from("-ERR no\r\n").failure()->text, "ERR no");
  const Value list = read_from("*2\r\n*1\r\n:1\r\n$1\r\na\r\n");
  EXPECT_EQ(list.list(2)[0].list(1)[0].number(), 1);
  EXPECT_EQ(list.list()[1].text(), "a");
  EXPECT_THROW(list.list(3), Malformed);
  EXPECT_THROW(list.text(), Malformed);
  EXPECT_THROW(Value().list(), Malformed);
}

TEST(BrokerProtocolTest, MalformedAnswersAreErrors) {
  for (const char* bytes :
       {"\r\n", "x", "+a\nb\r\n", "+a\rb\r\n", ":\r\n", ":1x\r\n", ": 1\r\n",
        ":99999999999999999999\r\n", "$1\r\nabc\r\n", "$-2\r\n", "*-2\r\n", "$x\r\n", "*x\r\n",
        "*1\r\nx", "HTTP/1.1 400 Bad Request\r\n", "$9223372036854775807\r\n",
        "*9223372036854775807\r\n", "$16777217\r\n", "*1048577\r\n"})
    EXPECT_THROW(read_from(bytes), Malformed) << bytes;
  EXPECT_THROW(read_from("*2\r\n:1\r\n"), Lost);
  EXPECT_THROW(read_from("$3\r\nab"), Lost);
}

TEST(BrokerProtocolTest, SizesAreLimited) {
  const Reader::Limits small = {.line = 4, .text = 4, .entries = 3, .bytes = 30, .depth = 2};
  EXPECT_EQ(read_from("+abcd\r\n", small).text(), "abcd");
  EXPECT_THROW(read_from("+abcde\r\n", small), Malformed);
  EXPECT_THROW(read_from("$5\r\nabcde\r\n", small), Malformed);
  EXPECT_THROW(read_from("*2\r\n*1\r\n:1\r\n*1\r\n:1\r\n", small), Malformed);
  EXPECT_NO_THROW(read_from("*1\r\n*1\r\n:1\r\n", small));
  EXPECT_THROW(read_from("*1\r\n*1\r\n*0\r\n", small), Malformed);
  EXPECT_THROW(read_from("*3\r\n$4\r\nabcd\r\n$4\r\nabcd\r\n$4\r\nabcd\r\n", small), Malformed);
  std::string deep;
  for (int k = 0; k < 100'000; ++k) deep += "*1\r\n";
  EXPECT_THROW(read_from(deep), Malformed);
}

TEST(BrokerProtocolTest, WhateverComesIsReadOrRefused) {
  Random random(1);
  const std::string alphabet = "+-:$*0123456789\r\n\r\n\r\nab";
  int read = 0, refused = 0;
  for (int k = 0; k < 20'000; ++k) {
    std::string bytes;
    for (std::size_t n = random.below(40); n > 0; --n)
      bytes += alphabet[random.below(alphabet.size())];
    try {
      read_from(bytes);
      ++read;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(read, 0);
  EXPECT_GT(refused, 0);
}

TEST(BrokerProtocolTest, CommandsAreLengthsAndWords) {
  const std::vector<Command> commands = {{"A", "b\r\n"}, {""}};
  EXPECT_EQ(encode(commands), "*2\r\n$1\r\nA\r\n$3\r\nb\r\n\r\n*1\r\n$0\r\n\r\n");
}

// A server on a loopback address that answers each connection with the next of some texts, and
// closes it or, after the last one, says nothing more.
class FakeServer {
 public:
  explicit FakeServer(std::vector<std::string> answers) : answers_(std::move(answers)) {
    fd_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    HEDDLE_CHECK(bind(fd_, reinterpret_cast<sockaddr*>(&address), size) == 0);
    HEDDLE_CHECK(listen(fd_, 8) == 0);
    HEDDLE_CHECK(getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~FakeServer() {
    shutdown(fd_, SHUT_RDWR);
    thread_.join();
    close(fd_);
    for (const int fd : kept_) close(fd);
  }

  Client client(milliseconds answering = std::chrono::hours(1)) const {
    Client::Settings settings;
    settings.answering = answering;
    settings.longest_pause = milliseconds(2);
    return Client(parse_address("redis://127.0.0.1:" + std::to_string(port_), {}), settings);
  }

 private:
  void serve() {
    for (std::size_t k = 0;; ++k) {
      const int fd = accept(fd_, nullptr, nullptr);
      if (fd < 0) return;
      char byte = 0;
      const bool good = recv(fd, &byte, 1, 0) == 1;  // after the question
      const std::string& answer = answers_[std::min(k, answers_.size() - 1)];
      if (good) (void)!send(fd, answer.data(), answer.size(), MSG_NOSIGNAL);
      if (k + 1 >= answers_.size()) {
        kept_.push_back(fd);
      } else {
        shutdown(fd, SHUT_WR);
        while (recv(fd, &byte, 1, 0) == 1) continue;  // or the answer would be lost with a reset
        close(fd);
      }
    }
  }

  std::vector<std::string> answers_;
  int fd_ = -1;
  std::uint16_t port_ = 0;
  std::thread thread_;
  std::vector<int> kept_;
};

TEST(BrokerClientTest, WhatIsNotABrokerIsToldSo) {
  const FakeServer server({"HTTP/1.1 400 Bad Request\r\n\r\n", "+PONG\r\n"});
  Client client = server.client();
  EXPECT_THAT([&] { client.one({"PING"}); },
              ThrowsMessage<Malformed>(HasSubstr("does not answer as a broker")));
  EXPECT_EQ(client.one({"PING"}).text(), "PONG");
}

TEST(BrokerClientTest, ConnectsAgainAfterLosses) {
  const FakeServer server({"", "$10\r\nabc", "-LOADING wait\r\n", "*2\r\n:1\r\n", "+PONG\r\n"});
  Client client = server.client();
  EXPECT_EQ(client.one({"PING"}).text(), "PONG");
  EXPECT_EQ(client.connections(), 5u);
}

TEST(BrokerClientTest, DoesNotWaitForEver) {
  const FakeServer server({"+PON"});
  Client client = server.client(milliseconds(20));
  EXPECT_THAT([&] { client.try_one({"PING"}); },
              ThrowsMessage<Lost>(HasSubstr("no answer in time")));
}

TEST(BrokerClientTest, ErrorsAreThrown) {
  const FakeServer server({"-NOPERM no\r\n", "-NOAUTH no\r\n", ""});
  Client client = server.client();
  EXPECT_THAT([&] { client.one({"GET", "a"}); }, ThrowsMessage<Refused>("NOPERM no"));
  EXPECT_THAT([&] { client.one({"GET", "a"}); }, ThrowsMessage<Misuse>(HasSubstr("password")));
}

TEST(BrokerClientTest, PatienceEnds) {
  Client::Settings settings;
  settings.patience = milliseconds(0);
  Client client(parse_address("unix:///nowhere/at/all", {}), settings);
  EXPECT_THAT([&] { client.one({"PING"}); }, ThrowsMessage<Lost>(HasSubstr("out of reach")));
  settings.patience = std::chrono::hours(1);
  settings.is_interrupted = [] { return true; };
  Client other(parse_address("unix:///nowhere/at/all", {}), settings);
  EXPECT_THROW(other.one({"PING"}), Interrupted);
}

}  // namespace
}  // namespace heddle::broker
