#include "datasets/checkpoints/digest_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/error.hpp"

namespace assay::checkpoints {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view format = "assay.digests/1";
constexpr std::size_t digits_of_sha256 = 64;

std::string line_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool is_sha256(std::string_view text) {
    return text.size() == digits_of_sha256 && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

class Parser {
public:
    explicit Parser(const std::string& where) : where_(where) {}

    void line(std::string_view line) {
        ++number_;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.empty()) return;
        if (line.find('\0') != std::string_view::npos) refuse("a zero byte stands in it");
        if (line.starts_with('{')) return json(line);
        sum(line);
    }

    DigestList take() {
        if (list_.files.empty() && list_.tensors.empty())
            throw Error(fmt::format("{} holds no digests: assay inspect CKPT --digests writes them, sha256sum *.safetensors too", where_));
        return std::move(list_);
    }

private:
    [[noreturn]] void refuse(const std::string& what) const {
        throw Error(fmt::format("{}, line {}: {}", where_, number_, what));
    }

    // "HEX  name", "HEX *name", "HEX * name".
    void sum(std::string_view line) {
        const std::string_view hex = line.substr(0, digits_of_sha256);
        const std::size_t name = line.find_first_not_of(" *-", hex.size());
        if (!is_sha256(hex) || line.size() <= hex.size() || line[hex.size()] != ' ' || name == std::string_view::npos)
            refuse("expected a JSON object or a line of sha256sum: 64 hexadecimal digits, two spaces, a name");
        const std::string_view path = line.substr(name);
        list_.files.push_back({std::string(path.substr(path.find_last_of('/') + 1)), 0, std::string(hex)});
    }

    void json(std::string_view line) {
        try {
            const Json object = Json::parse(line);
            if (object.contains("format")) return head(object);
            const std::string sha256 = object.at("sha256").get<std::string>();
            if (!is_sha256(sha256)) refuse("sha256 is not 64 lower-case hexadecimal digits");
            if (object.contains("file")) {
                list_.files.push_back({object["file"].get<std::string>(), object.value("bytes", std::uint64_t{0}), sha256});
                return;
            }
            const auto dtype = dtype_from_string(object.at("dtype").get<std::string>());
            if (!dtype) refuse("its dtype is none of safetensors");
            list_.tensors.push_back({object.at("tensor").get<std::string>(), *dtype,
                                     object.at("shape").get<std::vector<std::uint64_t>>(), sha256});
        } catch (const Json::exception& error) {
            refuse(fmt::format("expected a file or a tensor with its sha256: {}", error.what()));
        }
    }

    void head(const Json& object) {
        const std::string said = object["format"].get<std::string>();
        if (said != format)
            refuse(fmt::format("its format is {}; this assay reads {}", said, format));
        list_.checkpoint = object.value("checkpoint", std::string());
        list_.fingerprint = object.value("fingerprint", std::string());
    }

    const std::string& where_;
    std::uint64_t number_ = 0;
    DigestList list_;
};

}  // namespace

std::string digests_text(const DigestList& list) {
    Json head{{"format", format}};
    if (!list.checkpoint.empty()) head["checkpoint"] = list.checkpoint;
    if (!list.fingerprint.empty()) head["fingerprint"] = list.fingerprint;
    std::string text = line_of(head);
    for (const FileDigest& one : list.files)
        text += line_of({{"file", one.file}, {"bytes", one.bytes}, {"sha256", one.sha256}});
    for (const TensorDigest& one : list.tensors)
        text += line_of({{"tensor", one.tensor}, {"dtype", to_string(one.dtype)}, {"shape", one.shape}, {"sha256", one.sha256}});
    return text;
}

DigestList parse_digests(std::string_view text, const std::string& where) {
    Parser parser(where);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        parser.line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parser.take();
}

}  // namespace assay::checkpoints
