#include "runners/commands/transport_options.hpp"

#include "harness/error.hpp"

namespace assay::runners {

void set_transport(const ScoreOptions& options, chat::Endpoint& endpoint) {
    endpoint.ca_file = options.cacert;
    endpoint.insecure = options.insecure;
    endpoint.proxy = options.proxy;
    endpoint.reuse_connections = options.reuse_connections;
    endpoint.http2 = options.http2;
    if (!options.allow_plain_http && chat::sends_key_in_clear(endpoint)) {
        throw Error("the key would travel over plain http to a public host, readable by everybody on the way: give an https "
                    "--base-url, or --allow-plain-http");
    }
    if (options.http2 && !endpoint.base_url.starts_with("https://")) throw Error("--http2 needs an https --base-url: the version is agreed on in TLS");
}

std::vector<std::pair<std::string, std::string>> transport_facts(const ScoreOptions& options, const chat::Endpoint& endpoint) {
    std::vector<std::pair<std::string, std::string>> facts;
    if (const std::string proxy = chat::proxy_of(endpoint); !proxy.empty()) facts.emplace_back("proxy", proxy);
    if (!options.cacert.empty()) facts.emplace_back("cacert", options.cacert);
    const auto add = [&facts](const char* name, bool on) {
        if (on) facts.emplace_back(name, "true");
    };
    add("insecure", options.insecure);
    add("allow_plain_http", options.allow_plain_http && chat::sends_key_in_clear(endpoint));
    add("reuse_connections", options.reuse_connections);
    add("http2", options.http2);
    add("accept_done_without_finish", options.accept_done_without_finish);
    return facts;
}

}  // namespace assay::runners
