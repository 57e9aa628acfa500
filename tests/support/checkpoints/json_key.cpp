#include "tests/support/checkpoints/json_key.hpp"

#include <cctype>
#include <stdexcept>

namespace assay::support {
namespace {

class Walker {
public:
    explicit Walker(const std::string& json) : json_(json), paths_(json.size()) {}

    std::vector<std::string> walk() {
        value("");
        fill("");
        return std::move(paths_);
    }

private:
    void fill(const std::string& path) {
        while (at_ < json_.size() && std::isspace(static_cast<unsigned char>(json_[at_])) != 0) paths_[at_++] = path;
    }
    char peek(const std::string& path) {
        fill(path);
        if (at_ >= json_.size()) throw std::invalid_argument("not JSON");
        return json_[at_];
    }
    void take(const std::string& path) { paths_[at_++] = path; }

    // Bytes of a string; its text without quotes.
    std::string string(std::size_t begin) {
        std::size_t end = begin + 1;
        while (json_.at(end) != '"') end += json_[end] == '\\' ? 2U : 1U;
        return json_.substr(begin + 1, end - begin - 1);
    }
    void take_string(const std::string& path) {
        const std::size_t length = string(at_).size() + 2;
        for (std::size_t i = 0; i < length; ++i) take(path);
    }

    void value(const std::string& path) {
        const char first = peek(path);
        if (first == '{' || first == '[') return container(path, first == '{');
        if (first == '"') return take_string(path);
        while (at_ < json_.size() && std::string(",]} \n").find(json_[at_]) == std::string::npos) take(path);
    }

    void container(const std::string& path, bool object) {
        take(path);
        while (peek(path) != (object ? '}' : ']')) {
            if (json_[at_] == ',') take(path);
            std::string inner = path + "[]";
            if (object) {
                (void)peek(path);
                inner = (path.empty() ? "" : path + ".") + string(at_);
                take_string(inner);
                (void)peek(inner);
                take(inner);  // the colon
            }
            value(inner);
        }
        take(path);
    }

    const std::string& json_;
    std::vector<std::string> paths_;
    std::size_t at_ = 0;
};

}  // namespace

std::vector<std::string> keys_of_bytes(const std::string& json) { return Walker(json).walk(); }

}  // namespace assay::support
