#include "datasets/checkpoints/header_json.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

namespace assay::checkpoints {
namespace {

using Json = nlohmann::json;
using Kind = HeaderFaultKind;

// Events of one pass over the header. `depth_` is the number of open objects and arrays; depth 1 holds names,
// depth 2 the fields of a tensor, depth 3 the numbers of a shape. A value of a wrong type is a fault and is skipped,
// so that one pass names them all.
class HeaderEvents final : public nlohmann::json_sax<Json> {
public:
    explicit HeaderEvents(Header& header) : header_(header) {}

    bool key(string_t& text) override {
        if (depth_ == 1) {
            name_ = std::move(text);
            in_metadata_ = name_ == "__metadata__";
            if (in_metadata_ && std::exchange(metadata_seen_, true))
                fault(Kind::duplicate_key, "__metadata__ stands there twice");
        } else if (depth_ == 2 && in_metadata_) {
            field_ = Field::other;
            metadata_key_ = std::move(text);
        } else if (depth_ == 2) {
            begin_field(text);
        }
        return true;
    }

    bool start_object(std::size_t) override {
        if (depth_ == 1) {
            if (!in_metadata_) {
                tensor_ = Tensor{};
                tensor_.name = name_;
                seen_ = {};
                offsets_ = 0;
            }
        } else if (depth_ >= 2) {
            wrong_here("an object");
        }
        ++depth_;
        return true;
    }

    bool end_object() override {
        --depth_;
        if (depth_ == 1 && !in_metadata_) finish_tensor();
        return true;
    }

    bool start_array(std::size_t) override {
        if (depth_ == 2 && !in_metadata_ && (field_ == Field::shape || field_ == Field::offsets)) {
            in_numbers_ = true;
        } else {
            wrong_here("an array");
        }
        ++depth_;
        return true;
    }

    bool end_array() override {
        --depth_;
        if (depth_ == 2) in_numbers_ = false;
        return true;
    }

    bool number_unsigned(number_unsigned_t value) override {
        if (depth_ == 3 && in_numbers_ && field_ == Field::shape) {
            tensor_.shape.push_back(value);
        } else if (depth_ == 3 && in_numbers_) {
            if (offsets_ == 0) tensor_.begin = value;
            if (offsets_ == 1) tensor_.end = value;
            ++offsets_;
        } else {
            wrong_here(fmt::format("{}", value));
        }
        return true;
    }

    bool number_integer(number_integer_t value) override { return wrong_here(fmt::format("{}", value)); }
    bool number_float(number_float_t, const string_t& text) override { return wrong_here(text.substr(0, 40)); }
    bool null() override { return wrong_here("null"); }
    bool boolean(bool value) override { return wrong_here(value ? "true" : "false"); }
    bool binary(binary_t&) override { return true; }

    bool string(string_t& text) override {
        if (depth_ == 2 && in_metadata_) {
            if (!header_.metadata.emplace(metadata_key_, std::move(text)).second) {
                fault(Kind::duplicate_key, fmt::format("__metadata__ has the key '{}' twice", metadata_key_));
            }
        } else if (depth_ == 2 && field_ == Field::dtype) {
            read_dtype(text);
        } else {
            wrong_here(fmt::format("the string '{}'", text.substr(0, 40)));
        }
        return true;
    }

    bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) override {
        // Positions count bytes read, from 1.
        const std::uint64_t offset = 8 + (position == 0 ? 0 : position - 1);
        constexpr int number_overflow = 406;
        if (error.id == number_overflow && depth_ > 0) {
            wrong_here(fmt::format("a number too large for any reader: {}..", token.substr(0, 40)));
            return false;
        }
        std::string what = error.what();
        const auto tail = what.find("parse error");
        if (tail != std::string::npos) what.erase(0, tail);
        add_fault(header_, {Kind::not_json,
                            fmt::format("the header is not JSON at byte {}: {}", offset, what.substr(0, 200)),
                            {},
                            {},
                            offset,
                            0,
                            0});
        return false;
    }

private:
    enum class Field { other, dtype, shape, offsets };

    void begin_field(const std::string& text) {
        field_ = text == "dtype"          ? Field::dtype
                 : text == "shape"        ? Field::shape
                 : text == "data_offsets" ? Field::offsets
                                          : Field::other;
        if (field_ == Field::other) return;  // extra fields are ignored, as the reference reader does
        if (std::exchange(seen_[static_cast<std::size_t>(field_)], true)) {
            fault(Kind::duplicate_key, fmt::format("tensor '{}' has the field {} twice", name_, text));
            if (field_ == Field::shape) tensor_.shape.clear();
            if (field_ == Field::offsets) offsets_ = 0;
        }
    }

    void read_dtype(const std::string& text) {
        const auto dtype = dtype_from_string(text);
        if (dtype) {
            tensor_.dtype = *dtype;
        } else {
            broken_ = true;
            fault(Kind::unknown_dtype, fmt::format("tensor '{}' has the dtype '{}', which safetensors does not know",
                                                   name_, text.substr(0, 40)));
        }
    }

    // A value where the format has another type; inside a field nobody reads, anything goes.
    bool wrong_here(std::string_view found) {
        if (depth_ == 0) {
            fault(Kind::wrong_type, fmt::format("the header is {}, not an object", found));
            return false;
        }
        if (in_metadata_) {
            if (depth_ <= 2)
                fault(Kind::wrong_type, fmt::format("__metadata__ holds {} where only strings may stand", found));
            return true;
        }
        if (depth_ == 1) {
            ++header_.unread_entries;
            fault(Kind::wrong_type, fmt::format("'{}' is {}, not a tensor's object", name_, found));
        } else if (field_ != Field::other && depth_ <= 3) {
            broken_ = true;
            static constexpr std::array<std::string_view, 4> fields{"", "dtype", "shape", "data_offsets"};
            fault(Kind::wrong_type,
                  fmt::format("{} of tensor '{}' holds {}", fields[static_cast<std::size_t>(field_)], name_, found));
        }
        return true;
    }

    void finish_tensor() {
        static constexpr std::array<std::string_view, 4> fields{"", "dtype", "shape", "data_offsets"};
        for (std::size_t i = 1; i < fields.size(); ++i) {
            if (seen_[i]) continue;
            broken_ = true;
            fault(Kind::missing_field, fmt::format("tensor '{}' has no {}", name_, fields[i]));
        }
        if (!broken_ && offsets_ != 2) {
            broken_ = true;
            fault(Kind::wrong_type, fmt::format("data_offsets of tensor '{}' has {} numbers, not 2", name_, offsets_));
        }
        if (std::exchange(broken_, false)) {
            ++header_.unread_entries;
        } else {
            header_.tensors.push_back(std::move(tensor_));
        }
    }

    void fault(Kind kind, std::string message) {
        add_fault(header_, {kind, std::move(message), depth_ == 0 ? std::string{} : name_, {}, 8, 0, 0});
    }

    Header& header_;
    int depth_ = 0;
    bool in_metadata_ = false;
    bool metadata_seen_ = false;
    bool in_numbers_ = false;
    bool broken_ = false;
    Field field_ = Field::other;
    std::array<bool, 4> seen_{};
    int offsets_ = 0;
    std::string name_;
    std::string metadata_key_;
    Tensor tensor_;
};

}  // namespace

void add_fault(Header& header, HeaderFault fault) {
    ++header.fault_count;
    if (header.faults.size() < Header::most_faults) header.faults.push_back(std::move(fault));
}

void read_header_json(std::span<const std::byte> json, Header& header) {
    const char* const text = reinterpret_cast<const char*>(json.data());
    if (!simdjson::validate_utf8(text, json.size())) {
        add_fault(header, {Kind::not_utf8, "the header is not UTF-8", {}, {}, 8, 0, 0});
        return;
    }
    if (json.empty() || text[0] != '{') {
        add_fault(header, {Kind::leading_byte,
                           json.empty() ? std::string("the header is empty; it must begin with '{'")
                                        : fmt::format("the header begins with byte 0x{:02x}; it must begin with '{{'",
                                                      static_cast<unsigned char>(text[0])),
                           {},
                           {},
                           8,
                           '{',
                           json.empty() ? 0U : static_cast<unsigned char>(text[0])});
        // A byte order mark, which this parser would skip, is none of JSON's white space.
        if (json.empty() || text[0] == '\xef') return;
    }
    // The parser takes a zero byte for the end of its text and would not look at what follows.
    const void* const zero = json.empty() ? nullptr : std::memchr(text, '\0', json.size());
    if (zero != nullptr) {
        const auto at = static_cast<std::uint64_t>(static_cast<const char*>(zero) - text);
        add_fault(header, {Kind::not_json, fmt::format("a zero byte stands at byte {} of the header", at), {}, {}, 8 + at, ' ', 0});
        return;
    }
    HeaderEvents events(header);
    header.readable = Json::sax_parse(text, text + json.size(), &events);
    if (!header.readable) header.tensors.clear();
}

}  // namespace assay::checkpoints
