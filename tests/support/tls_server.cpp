#include "tests/support/tls_server.hpp"

#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace assay::tests {
namespace {

template <auto Free>
struct Freeing {
    template <class Thing>
    void operator()(Thing* thing) const noexcept {
        Free(thing);
    }
};
using Key = std::unique_ptr<EVP_PKEY, Freeing<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freeing<X509_free>>;

void must(bool holds, const char* what) {
    if (!holds) throw std::runtime_error(std::string("TLS server: ") + what);
}

void add_extension(X509& certificate, int kind, const std::string& value) {
    const std::unique_ptr<X509_EXTENSION, Freeing<X509_EXTENSION_free>> extension(X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str()));
    must(extension != nullptr && X509_add_ext(&certificate, extension.get(), -1) == 1, "extension");
}

Certificate self_signed(EVP_PKEY& key, const std::string& subject) {
    Certificate certificate(X509_new());
    X509_set_version(certificate.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
    X509_set_pubkey(certificate.get(), &key);
    X509_NAME* name = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("assay test"), -1, -1, 0);
    X509_set_issuer_name(certificate.get(), name);
    add_extension(*certificate, NID_basic_constraints, "critical,CA:TRUE");
    add_extension(*certificate, NID_subject_alt_name, subject);
    must(X509_sign(certificate.get(), &key, EVP_sha256()) != 0, "signing");
    return certificate;
}

std::string pem_of(X509& certificate) {
    const std::unique_ptr<BIO, Freeing<BIO_free_all>> memory(BIO_new(BIO_s_mem()));
    PEM_write_bio_X509(memory.get(), &certificate);
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(memory.get(), &bytes);
    return {bytes, static_cast<std::size_t>(size)};
}

}  // namespace

struct TlsServer::Context {
    std::unique_ptr<SSL_CTX, Freeing<SSL_CTX_free>> tls{SSL_CTX_new(TLS_server_method())};
};

TlsServer::TlsServer(const std::string& subject, std::string response) : context_(std::make_unique<Context>()), response_(std::move(response)) {
    ::signal(SIGPIPE, SIG_IGN);  // a client that hangs up must not end the test
    const Key key(EVP_EC_gen("P-256"));
    must(key != nullptr, "key");
    const Certificate certificate = self_signed(*key, subject);
    certificate_ = pem_of(*certificate);
    must(SSL_CTX_use_certificate(context_->tls.get(), certificate.get()) == 1 && SSL_CTX_use_PrivateKey(context_->tls.get(), key.get()) == 1, "certificate");

    listener_ = loop::FileDescriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    must(::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), size) == 0 && ::listen(listener_.get(), 16) == 0, "no listener");
    ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    serving_ = std::thread([this] { serve(); });
}

TlsServer::~TlsServer() {
    stopping_ = true;
    ::shutdown(listener_.get(), SHUT_RDWR);  // wakes accept
    serving_.join();
}

std::string TlsServer::base_url() const {
    return "https://127.0.0.1:" + std::to_string(port_) + "/v1";
}

void TlsServer::serve() {
    while (!stopping_) {
        const loop::FileDescriptor socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (!socket.open()) continue;
        const timeval patience{10, 0};
        ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        const std::unique_ptr<SSL, Freeing<SSL_free>> session(SSL_new(context_->tls.get()));
        SSL_set_fd(session.get(), socket.get());
        if (SSL_accept(session.get()) != 1) continue;  // the client does not trust the certificate
        std::array<char, 16384> request{};
        if (SSL_read(session.get(), request.data(), static_cast<int>(request.size())) <= 0) continue;
        ++requests_;
        SSL_write(session.get(), response_.data(), static_cast<int>(response_.size()));
        SSL_shutdown(session.get());
    }
}

}  // namespace assay::tests
