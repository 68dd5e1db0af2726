#include "broker/tls.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <climits>
#include <string>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "broker/error.hpp"

namespace heddle::broker {
namespace {

template <auto function>
struct Free {
  template <typename T>
  void operator()(T* object) const {
    function(object);
  }
};
using Context = std::unique_ptr<SSL_CTX, Free<SSL_CTX_free>>;
using Session = std::unique_ptr<SSL, Free<SSL_free>>;

std::string last_error() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "unknown error";
  const char* reason = ERR_reason_error_string(code);
  return reason == nullptr ? "unknown error" : reason;
}

Context make_context(const Address& address) {
  Context out(SSL_CTX_new(TLS_client_method()));
  HEDDLE_CHECK(out != nullptr);
  SSL_CTX_set_verify(out.get(), SSL_VERIFY_PEER, nullptr);
  HEDDLE_CHECK(SSL_CTX_set_min_proto_version(out.get(), TLS1_2_VERSION) == 1);
  const bool good = address.ca_file.empty() ? SSL_CTX_set_default_verify_paths(out.get()) == 1
                                            : SSL_CTX_load_verify_locations(
                                                  out.get(), address.ca_file.c_str(), nullptr) == 1;
  if (!good)
    throw Misuse(
        fmt::format("cannot use the certificates in '{}': {}", address.ca_file, last_error()));
  return out;
}

bool is_ip_address(const std::string& host) {
  in6_addr ignored{};
  return inet_pton(AF_INET, host.c_str(), &ignored) == 1 ||
         inet_pton(AF_INET6, host.c_str(), &ignored) == 1;
}

// OpenSSL works in memory only; the stream below has the socket, its deadlines and no signals.
class TlsStream : public Stream {
 public:
  TlsStream(std::unique_ptr<Stream> below, const Address& address, Clock::time_point deadline)
      : below_(std::move(below)), context_(make_context(address)), received_(16 << 10) {
    ssl_.reset(SSL_new(context_.get()));
    in_ = BIO_new(BIO_s_mem());
    out_ = BIO_new(BIO_s_mem());
    HEDDLE_CHECK(ssl_ != nullptr && in_ != nullptr && out_ != nullptr);
    SSL_set_bio(ssl_.get(), in_, out_);
    SSL_set_connect_state(ssl_.get());
    expect_host(address.host);
    shake_hands(address, deadline);
  }

  void write(std::string_view bytes, Clock::time_point deadline) override {
    while (!bytes.empty()) {
      const auto size = static_cast<int>(std::min<std::size_t>(bytes.size(), 1 << 20));
      const int n = SSL_write(ssl_.get(), bytes.data(), size);
      flush(deadline);
      if (n > 0)
        bytes.remove_prefix(static_cast<std::size_t>(n));
      else
        continue_after(n, deadline);
    }
  }

  std::size_t read(std::span<char> to, Clock::time_point deadline) override {
    while (true) {
      const int most = static_cast<int>(std::min<std::size_t>(to.size(), INT_MAX));
      const int n = SSL_read(ssl_.get(), to.data(), most);
      flush(deadline);  // an answer to a request for new keys, for example
      if (n > 0) return static_cast<std::size_t>(n);
      continue_after(n, deadline);
    }
  }

 private:
  void expect_host(const std::string& host) {
    if (is_ip_address(host)) {
      HEDDLE_CHECK(X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_.get()), host.c_str()) == 1);
      return;
    }
    SSL_set_hostflags(ssl_.get(), X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    HEDDLE_CHECK(SSL_set1_host(ssl_.get(), host.c_str()) == 1);
    HEDDLE_CHECK(SSL_set_tlsext_host_name(ssl_.get(), host.c_str()) == 1);
  }

  void shake_hands(const Address& address, Clock::time_point deadline) {
    while (true) {
      const int n = SSL_do_handshake(ssl_.get());
      const long verified = SSL_get_verify_result(ssl_.get());
      if (n != 1 && verified != X509_V_OK)
        throw Misuse(fmt::format(
            "the certificate of {} is not accepted: {} (--broker-ca names the file of a private "
            "authority)",
            address.text(), X509_verify_cert_error_string(verified)));
      flush(deadline);
      if (n == 1) return;
      continue_after(n, deadline);
    }
  }

  void flush(Clock::time_point deadline) {
    char* data = nullptr;
    const long size = BIO_get_mem_data(out_, &data);
    if (size <= 0) return;
    below_->write({data, static_cast<std::size_t>(size)}, deadline);
    (void)BIO_reset(out_);
  }

  // What OpenSSL could not do for want of bytes can be done after more have been received.
  void continue_after(int result, Clock::time_point deadline) {
    switch (SSL_get_error(ssl_.get(), result)) {
      case SSL_ERROR_WANT_READ: {
        const std::size_t n = below_->read(received_, deadline);
        HEDDLE_CHECK(BIO_write(in_, received_.data(), static_cast<int>(n)) == static_cast<int>(n));
        return;
      }
      case SSL_ERROR_WANT_WRITE:
        return;
      case SSL_ERROR_ZERO_RETURN:
        throw Lost("the broker closed the connection");
      default:
        throw Lost("TLS: " + last_error());
    }
  }

  std::unique_ptr<Stream> below_;
  Context context_;
  Session ssl_;
  BIO *in_ = nullptr, *out_ = nullptr;  // the session's
  std::vector<char> received_;
};

}  // namespace

std::unique_ptr<Stream> encrypt(std::unique_ptr<Stream> stream, const Address& address,
                                Clock::time_point deadline) {
  return std::make_unique<TlsStream>(std::move(stream), address, deadline);
}

}  // namespace heddle::broker
