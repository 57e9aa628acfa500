// What a GET finds that it should not.
#include "harness/simulated/behavior_rows.hpp"
#include "harness/simulated/json_text.hpp"

namespace assay::simulated {
namespace {

constexpr std::string_view not_found = R"({"detail":"Not Found"})";

class Models final : public Behavior {
public:
    explicit Models(const std::string& value) : kind_(value) {
        for (const std::string_view kind : {"absent", "denied", "html", "empty", "null", "other", "two", "no-length"})
            if (kind == value) return;
        refuse_value("models", "absent, denied, html, empty, null, other, two or no-length", value);
    }
    std::optional<Page> page(std::string_view path, const Identity& identity) const override {
        if (path != "/v1/models") return std::nullopt;
        if (kind_ == "absent") return Page{404, "application/json", std::string(not_found)};
        if (kind_ == "denied") return Page{401, "application/json", R"({"error":{"message":"no key","code":401}})"};
        if (kind_ == "html") return Page{200, "text/html", "<html><body>Welcome to nginx!</body></html>"};
        if (kind_ == "empty") return Page{200, "application/json", R"({"object":"list","data":[]})"};
        if (kind_ == "null") return Page{200, "application/json", R"({"object":"list","data":null})"};
        std::string list = entry(kind_ == "other" ? "another-model" : identity.model);
        if (kind_ == "two") list += "," + entry("another-model");
        return Page{200, "application/json", R"({"object":"list","data":[)" + list + "]}"};
    }

private:
    static std::string entry(const std::string& model) { return R"({"id":)" + json_string(model) + R"(,"object":"model"})"; }

    std::string kind_;
};

class NoPage final : public Behavior {
public:
    explicit NoPage(std::string_view path) : path_(path) {}
    std::optional<Page> page(std::string_view path, const Identity&) const override {
        return path == path_ ? std::optional(Page{404, "application/json", std::string(not_found)}) : std::nullopt;
    }

private:
    std::string_view path_;
};

}  // namespace

BehaviorRows page_rows() {
    return {
        {{"models", "KIND", "/v1/models is absent, denied, html, empty, null, lists an other model, two, or no-length"}, from_value<Models>},
        {{"no-metrics", "", "/metrics is not there"}, fixed<NoPage>("/metrics")},
    };
}

}  // namespace assay::simulated
