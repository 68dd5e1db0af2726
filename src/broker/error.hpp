// What can go wrong with a broker, apart from Misuse (a URL, a password or a certificate that is
// not accepted, which is the user's to repair).
#pragma once

#include <stdexcept>

namespace heddle::broker {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// There is no answer, or none yet: the connection cannot be made or broke, or the broker is
// starting. What was asked may have been done or not. To ask again can help.
class Lost : public Error {
 public:
  using Error::Error;
};

// The broker answered with an error, which is what() says.
class Refused : public Error {
 public:
  using Error::Error;
};

// What was received is not what a broker says, or not what a job of this version has.
class Malformed : public Error {
 public:
  using Error::Error;
};

}  // namespace heddle::broker
