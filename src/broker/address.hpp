// Where a broker is and how it is reached.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::broker {

// What the user says of a broker beside its URL.
struct Access {
  std::string password_file = {};  // empty: the environment, HEDDLE_BROKER_PASSWORD
  std::string ca_file = {};        // empty: the certificates that the system trusts
  bool insecure = false;           // without TLS, or without a password, over a network
};

struct Address {
  enum class Kind : std::uint8_t { tcp, tls, unix_socket };

  Kind kind = Kind::tcp;
  std::string host = {};  // a name or an address, without brackets; of a unix socket, its path
  std::uint16_t port = 6379;
  unsigned database = 0;
  std::string user = {}, password = {};  // empty: there is none
  std::string ca_file = {};
  bool loopback_only = false;  // whatever the name of the host stands for

  std::string text() const;  // for messages; without the password
};

// redis://[USER@]HOST[:PORT][/DATABASE], rediss:// for TLS, or unix://[USER@]/PATH.
// Throws Misuse, which says what to do,
// - if it is not such a URL, or has a password: all users of a machine can see command lines;
// - without TLS, or without a password, to a host that is not this one, unless that is `insecure`.
Address parse_address(std::string_view url, const Access& access);

}  // namespace heddle::broker
