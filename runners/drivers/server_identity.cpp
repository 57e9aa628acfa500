#include "runners/drivers/server_identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "runners/drivers/discovery.hpp"
#include "runners/drivers/server_pages.hpp"

namespace assay::runners {
namespace {

constexpr std::chrono::seconds limit{10};
constexpr std::size_t most_listed = 3;

std::optional<std::string> version_in(const ServerPages& pages) {
    for (const auto& [name, value] : pages.facts) {
        if (name == "version" || name == "server_info.version") return value;
    }
    return std::nullopt;
}

// The pages that may hold a version, one after the other until one does.
void ask_version(chat::Client& client, const std::string& root, int page, std::function<void(std::optional<std::string>)> done) {
    static constexpr const char* paths[] = {"/version", "/server_info"};
    if (page == 2) return done(std::nullopt);
    client.get(root + paths[page], limit, [&client, root, page, done = std::move(done)](const chat::Client::Answer& answer) {
        ServerPages pages;
        if (answer.http_status == 200) read_server_page(paths[page], answer.body, pages);
        if (auto version = version_in(pages)) return done(std::move(version));
        ask_version(client, root, page + 1, done);
    });
}

}  // namespace

ServerIdentity identity_of(const preflight::Listing& listing, const std::string& model) {
    ServerIdentity identity;
    if (!listing.error.empty() || listing.models.empty()) return identity;
    identity.lists_model = false;
    for (const auto& entry : listing.models) {
        if (entry.id != model) continue;
        identity.lists_model = true;
        identity.max_model_len = entry.max_model_len;
    }
    for (std::size_t i = 0; i < std::min(listing.models.size(), most_listed); ++i) identity.models += (i == 0 ? "" : ", ") + listing.models[i].id;
    return identity;
}

std::string identity_change(const ServerIdentity& before, const ServerIdentity& now) {
    if (before.lists_model == true && now.lists_model == false) return fmt::format("it no longer lists the model, but {}", now.models);
    if (before.max_model_len && now.max_model_len && before.max_model_len != now.max_model_len) {
        return fmt::format("its max_model_len was {} and is {}", *before.max_model_len, *now.max_model_len);
    }
    if (before.version && now.version && before.version != now.version) {
        return fmt::format("its version was {} and is {}", *before.version, *now.version);
    }
    return {};
}

void ask_identity(chat::Client& client, const std::string& base_url, const std::string& model, bool with_version,
                  std::function<void(std::optional<ServerIdentity>)> done) {
    client.get(base_url + "/models", limit, [&client, base_url, model, with_version, done = std::move(done)](const chat::Client::Answer& answer) {
        if (answer.http_status == 0) return done(std::nullopt);
        const ServerIdentity identity = identity_of(listing_of(answer), model);
        if (!with_version) return done(identity);
        ask_version(client, server_root(base_url), 0, [identity, done](std::optional<std::string> version) {
            ServerIdentity whole = identity;
            whole.version = std::move(version);
            done(std::move(whole));
        });
    });
}

ServerIdentity identity_before_run(const chat::Endpoint& endpoint, const chat::Limits& limits, const std::string& model) {
    loop::EventLoop loop;
    chat::Client client(loop, endpoint, limits);
    ServerIdentity identity;
    ask_identity(client, chat::checked_base_url(endpoint.base_url), model, true, [&](std::optional<ServerIdentity> found) {
        if (found) identity = std::move(*found);
        loop.stop();
    });
    loop.run();
    return identity;
}

}  // namespace assay::runners
