#include "broker/address.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/check.hpp"
#include "base/files.hpp"
#include "base/option.hpp"

namespace heddle::broker {
namespace {

constexpr std::string_view forms =
    "expected redis://[USER@]HOST[:PORT][/DATABASE], rediss://... with TLS, or unix:///PATH";

class Parser {
 public:
  explicit Parser(std::string_view url) : url_(url) {}

  Address parse() {
    check_characters();
    read_scheme();
    read_user();
    if (out_.kind == Address::Kind::unix_socket) {
      if (!rest_.starts_with('/') || rest_.size() < 2) throw refuse("the path is not absolute");
      out_.host = rest_;
      return out_;
    }
    read_database();
    read_host_and_port();
    return out_;
  }

 private:
  // Never shows the URL: it may have a password.
  static Misuse refuse(std::string_view why) {
    return Misuse(fmt::format("not the URL of a broker: {} ({})", why, forms));
  }

  void check_characters() const {
    const auto is_plain = [](char c) { return c > ' ' && c < 0x7f && c != '?' && c != '#'; };
    if (!std::ranges::all_of(url_, is_plain))
      throw refuse("it has a character that is not allowed");
    constexpr std::size_t most = 1024;
    if (url_.size() > most) throw refuse("it is too long");
  }

  void read_scheme() {
    using enum Address::Kind;
    for (const auto& [scheme, kind] :
         {std::pair{"redis://", tcp}, {"rediss://", tls}, {"unix://", unix_socket}}) {
      if (!url_.starts_with(scheme)) continue;
      out_.kind = kind;
      rest_ = url_.substr(std::string_view(scheme).size());
      return;
    }
    throw refuse("unknown scheme");
  }

  void read_user() {
    const std::size_t slash = rest_.find('/');
    const std::size_t at = rest_.substr(0, slash).rfind('@');
    if (at == std::string_view::npos) return;
    const std::string_view user = rest_.substr(0, at);
    if (user.find(':') != std::string_view::npos)
      throw Misuse(
          "the URL of the broker has a password, which all users of this machine could see: give "
          "it by --broker-password-file or HEDDLE_BROKER_PASSWORD");
    if (user.empty()) throw refuse("there is no user before '@'");
    out_.user = user;
    rest_.remove_prefix(at + 1);
  }

  void read_database() {
    const std::size_t slash = rest_.find('/');
    if (slash == std::string_view::npos) return;
    const std::string_view number = rest_.substr(slash + 1);
    if (!number.empty() && !read_number(number, out_.database))
      throw refuse("the database is not a number");
    rest_ = rest_.substr(0, slash);
  }

  void read_host_and_port() {
    std::optional<std::string_view> port;
    if (rest_.starts_with('[')) {
      const std::size_t end = rest_.find(']');
      if (end == std::string_view::npos) throw refuse("']' is missing");
      out_.host = rest_.substr(1, end - 1);
      rest_.remove_prefix(end + 1);
      if (!rest_.empty() && !rest_.starts_with(':')) throw refuse("a ':' must come after ']'");
      if (!rest_.empty()) port = rest_.substr(1);
    } else {
      const std::size_t colon = rest_.find(':');
      out_.host = rest_.substr(0, colon);
      if (colon != std::string_view::npos) port = rest_.substr(colon + 1);
    }
    if (out_.host.empty()) throw refuse("there is no host");
    if (port && (!read_number(*port, out_.port) || out_.port == 0))
      throw refuse("the port is not a number from 1 to 65535");
  }

  std::string_view url_, rest_;
  Address out_;
};

bool is_loopback(const std::string& host) {
  in_addr four{};
  in6_addr six{};
  if (inet_pton(AF_INET, host.c_str(), &four) == 1) return ntohl(four.s_addr) >> 24 == 127;
  if (inet_pton(AF_INET6, host.c_str(), &six) == 1) return IN6_IS_ADDR_LOOPBACK(&six);
  return host == "localhost";
}

std::string read_password(const Access& access) {
  if (access.password_file.empty()) {
    const char* text = std::getenv("HEDDLE_BROKER_PASSWORD");
    return text == nullptr ? "" : text;
  }
  std::string text = read_file(access.password_file);
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  if (text.empty()) throw Misuse("the file '" + access.password_file + "' has no password");
  return text;
}

void check_safety(const Address& address, bool insecure) {
  if (address.loopback_only || address.kind == Address::Kind::unix_socket || insecure) return;
  if (address.kind == Address::Kind::tcp)
    throw Misuse(fmt::format(
        "{} would be reached over a network without encryption: use rediss:// (TLS), or "
        "--insecure-broker if the network is trusted",
        address.text()));
  if (address.password.empty())
    throw Misuse(fmt::format(
        "{} would be reached over a network without a password: give --broker-password-file or "
        "HEDDLE_BROKER_PASSWORD, or --insecure-broker if the network is trusted",
        address.text()));
}

}  // namespace

std::string Address::text() const {
  const std::string at = user.empty() ? "" : user + "@";
  if (kind == Kind::unix_socket) return fmt::format("unix://{}{}", at, host);
  const bool is_six = host.find(':') != std::string::npos;
  return fmt::format("{}://{}{}{}{}:{}{}", kind == Kind::tls ? "rediss" : "redis", at,
                     is_six ? "[" : "", host, is_six ? "]" : "", port,
                     database == 0 ? "" : fmt::format("/{}", database));
}

Address parse_address(std::string_view url, const Access& access) {
  Address out = Parser(url).parse();
  out.password = read_password(access);
  out.ca_file = access.ca_file;
  out.loopback_only = !access.insecure && out.kind == Address::Kind::tcp && is_loopback(out.host);
  if (!out.user.empty() && out.password.empty())
    throw Misuse(fmt::format(
        "there is no password for the user '{}' of the broker: give --broker-password-file or "
        "HEDDLE_BROKER_PASSWORD",
        out.user));
  check_safety(out, access.insecure);
  return out;
}

}  // namespace heddle::broker
