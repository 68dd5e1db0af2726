// What a worker's user may do, TLS, and functions that the broker has lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/job.hpp"
#include "broker/worker.hpp"
#include "broker_server.hpp"

namespace heddle::broker {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

// A user named heddle-worker or heddle-coordinator, with the password "secret".
void add_user(Client& client, const std::string& name, const std::string& permissions) {
  Command command = {"ACL", "SETUSER", name, "reset", "on", ">secret"};
  for (std::size_t at = 0; at < permissions.size();) {
    const std::size_t end = std::min(permissions.find(' ', at), permissions.size());
    command.push_back(permissions.substr(at, end - at));
    at = end + 1;
  }
  client.one(command);
}

Address as(Address address, const std::string& user) {
  address.user = user;
  address.password = "secret";
  return address;
}

void finish_job(Client& client, Job& job) {
  Worker worker(client, job.name(), patient());
  ASSERT_TRUE(worker.claim());
  EXPECT_TRUE(worker.look("").is_wanted);
  EXPECT_TRUE(worker.renew(job.info().generation, "k2"));
  ASSERT_TRUE(worker.claim());
  EXPECT_EQ(worker.finish(Split{{"[1]", "[2]"}}), Answer::accepted);
  ASSERT_TRUE(worker.claim());
  EXPECT_EQ(worker.finish(Done{{{"runs", 1}}, ""}), Answer::accepted);
  ASSERT_TRUE(worker.claim());
  worker.leave();
  ASSERT_TRUE(worker.claim());
  EXPECT_EQ(worker.finish(Done{{{"runs", 1}}, ""}), Answer::accepted);
  EXPECT_FALSE(worker.claim());
  EXPECT_TRUE(worker.report("key", "{}"));
}

struct BrokerAccessTest : testing::Test {
  TestBroker broker;
  Client admin{broker.address()};

  BrokerAccessTest() {
    add_user(admin, "heddle-worker", worker_permissions());
    add_user(admin, "heddle-coordinator", coordinator_permissions());
  }
  Client client(const std::string& user) {
    Client::Settings settings;
    settings.longest_pause = milliseconds(10);
    return Client(as(broker.address(), user), settings);
  }
};

TEST_F(BrokerAccessTest, UsersCanDoTheirWork) {
  Client creator = client("heddle-coordinator"), worker = client("heddle-worker");
  Job job = Job::create(creator, small_job(), "label");
  finish_job(worker, job);
  for (Client* any : {&creator, &worker}) {
    Job attached(*any, job.name());
    EXPECT_TRUE(attached.audit().is_complete());
    EXPECT_EQ(attached.status().state, State::done);
    EXPECT_EQ(attached.findings().size(), 1u);
    EXPECT_EQ(list_jobs(*any).size(), 1u);
    attached.stop();
  }
  job.remove();
  EXPECT_EQ(admin.one({"DBSIZE"}).number(), 1);  // a heartbeat
}

TEST_F(BrokerAccessTest, UsersAreDocumented) {
  std::string text = read_file(HEDDLE_SOURCE_DIR "/docs/broker.md");
  for (std::size_t at = 0; (at = text.find(" \\\n    ", at)) != std::string::npos;)
    text.replace(at, 7, " ");
  for (const auto& [user, permissions] :
       {std::pair("heddle-worker", worker_permissions()),
        std::pair("heddle-coordinator", coordinator_permissions())})
    EXPECT_THAT(text, HasSubstr(std::string("\nACL SETUSER ") + user + " reset on >PASSWORD " +
                                permissions + "\n"));
}

TEST_F(BrokerAccessTest, WorkersCanDoNothingElse) {
  Client worker = client("heddle-worker");
  for (const Command& command : std::vector<Command>{{"EVAL", "return 1", "0"},
                                                     {"EVALSHA", "x", "0"},
                                                     {"SCRIPT", "LOAD", "return 1"},
                                                     {"FUNCTION", "LOAD", "x"},
                                                     {"FUNCTION", "FLUSH"},
                                                     {"KEYS", "*"},
                                                     {"SCAN", "0"},
                                                     {"FLUSHALL"},
                                                     {"FLUSHDB"},
                                                     {"CONFIG", "GET", "*"},
                                                     {"ACL", "LIST"},
                                                     {"CLIENT", "LIST"},
                                                     {"MONITOR"},
                                                     {"SHUTDOWN"},
                                                     {"PUBLISH", "a", "b"},
                                                     {"SET", "other", "1"},
                                                     {"GET", "other"},
                                                     {"DEL", "heddle:a", "other"}})
    EXPECT_THAT([&] { worker.one(command); }, ThrowsMessage<Refused>(StartsWith("NOPERM")))
        << command[0];
  Client creator = client("heddle-coordinator");
  EXPECT_THROW(creator.one({"FLUSHALL"}), Refused);
  EXPECT_THROW(creator.one({"KEYS", "*"}), Refused);
}

TEST_F(BrokerAccessTest, AWorkerThatMayNotDoAllDoesNothing) {
  Job job = Job::create(admin, small_job(), "");
  add_user(admin, "weak", worker_permissions() + " -xadd -xgroup|delconsumer");
  Client weak = client("weak");
  EXPECT_THAT([&] { Worker(weak, job.name()); },
              ThrowsMessage<Refused>(HasSubstr("it lacks +xadd +xgroup|delconsumer")));
  add_user(admin, "elsewhere", worker_permissions() + " resetkeys ~other:*");
  Client elsewhere = client("elsewhere");
  EXPECT_THROW(Worker(elsewhere, job.name()), Refused);
}

TEST_F(BrokerAccessTest, WrongPasswordsAreMisuse) {
  Address address = as(broker.address(), "heddle-worker");
  address.password = "wrong";
  Client client(address);
  EXPECT_THAT([&] { client.one({"PING"}); },
              ThrowsMessage<Misuse>(AllOf(HasSubstr("heddle-worker@"), HasSubstr("WRONGPASS"))));
}

TEST_F(BrokerAccessTest, LostFunctionsArePutBackByThoseThatMay) {
  Job job = Job::create(admin, small_job(), "");
  Client own = client("heddle-worker");
  Worker worker(own, job.name(), patient());
  admin.one({"FUNCTION", "FLUSH"});
  const std::vector<std::string> arguments = {"-", "0"};
  EXPECT_THAT([&] { try_function(own, "state", Keys(job.name()), arguments); },
              ThrowsMessage<Lost>(HasSubstr("may not put them back")));
  std::thread creator([&] {
    Client other = client("heddle-coordinator");
    Job(other, job.name()).status();
  });
  EXPECT_TRUE(worker.claim());
  creator.join();
}

// A broker on a loopback address that is reached by TLS only, with a certificate for 127.0.0.1.
struct BrokerTlsTest : testing::Test {
  TemporaryDirectory directory;
  std::string path(const std::string& name) const { return (directory.path() / name).string(); }

  void make_certificate(const std::string& name, const std::string& host) {
    run_command({"openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                 "/CN=" + host, "-addext", "subjectAltName=" + host, "-keyout", path(name + ".key"),
                 "-out", path(name + ".pem")},
                path("openssl.log"));
  }
  std::vector<std::string> options(const std::string& name, std::uint16_t port) const {
    return {"--tls-port",        std::to_string(port), "--bind",
            "127.0.0.1",         "--tls-cert-file",    path(name + ".pem"),
            "--tls-key-file",    path(name + ".key"),  "--tls-ca-cert-file",
            path(name + ".pem"), "--tls-auth-clients", "no"};
  }
  // The port may be taken by another process before the broker has it: then another one is tried.
  std::unique_ptr<TestBroker> start(const std::string& name, std::uint16_t& port) const {
    for (int attempt = 0;; ++attempt) try {
        port = free_port();
        return std::make_unique<TestBroker>(options(name, port));
      } catch (const Bug&) {
        if (attempt == 10) throw;
      }
  }
  Address address(const std::string& host, std::uint16_t port, const std::string& ca) const {
    write_file(path("password"), "secret\n");
    return parse_address("rediss://heddle-worker@" + host + ":" + std::to_string(port),
                         {.password_file = path("password"), .ca_file = ca});
  }
};

TEST_F(BrokerTlsTest, JobsAreDoneThroughIt) {
  make_certificate("good", "IP:127.0.0.1");
  make_certificate("other", "IP:127.0.0.1");
  std::uint16_t port = 0;
  const auto broker = start("good", port);
  Client admin(broker->address());
  add_user(admin, "heddle-worker", worker_permissions());
  Job job = Job::create(admin, small_job(), "");
  Client worker(address("127.0.0.1", port, path("good.pem")));
  finish_job(worker, job);
  EXPECT_TRUE(job.audit().is_complete());
  const std::string large(1 << 20, 'x');
  worker.one({"SET", "heddle:large", large});
  EXPECT_EQ(worker.one({"GET", "heddle:large"}).text(), large);

  // Not signed by those that we trust, or for another name.
  for (const Address& bad :
       {address("127.0.0.1", port, path("other.pem")), address("127.0.0.1", port, ""),
        address("localhost", port, path("good.pem"))}) {
    Client client(bad);
    EXPECT_THAT([&] { client.one({"PING"}); },
                ThrowsMessage<Misuse>(HasSubstr("certificate of rediss://")));
  }
  Client without(address("127.0.0.1", port, path("password")));
  EXPECT_THAT([&] { without.one({"PING"}); },
              ThrowsMessage<Misuse>(HasSubstr("cannot use the certificates")));
}

TEST_F(BrokerTlsTest, NamesOfHostsAreVerified) {
  make_certificate("good", "DNS:localhost");
  std::uint16_t port = 0;
  const auto broker = start("good", port);
  Client admin(broker->address());
  add_user(admin, "heddle-worker", worker_permissions());
  Client good(address("localhost", port, path("good.pem")));
  EXPECT_EQ(list_jobs(good).size(), 0u);
  Client bad(address("127.0.0.1", port, path("good.pem")));
  EXPECT_THROW(list_jobs(bad), Misuse);
}

}  // namespace
}  // namespace heddle::broker
