// ChunkReader: the JSON of one stream event or one whole body, to what of it matters here.
//
// Field names as servers write them: the OpenAI chat completion objects; reasoning_content (SGLang, DeepSeek),
// reasoning (vLLM, OpenRouter), reasoning_details[].text (OpenRouter); usage at the top or in a choice; error as an
// object, a string, or flat beside object:"error". Ill-formed UTF-8 and lone surrogates are repaired first.
// One reader serves any number of streams. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/chat/reply.hpp"

namespace assay::chat {

// Views are valid until the reader's next read().
struct Chunk {
    bool is_json = false;       // false: `problem` says why
    std::string_view problem;
    bool is_object = false;     // null, arrays and the like are not
    bool is_null = false;

    bool has_choices = false;   // the key is there, as an array
    int choices = 0;            // how many
    bool wrong_choice = false;  // a choice that is no object, or of an index that was not asked for
    std::string_view content;
    std::string_view reasoning;
    std::string_view reasoning_field;  // which of the fields carried it; empty where none
    std::string_view finish_reason;    // empty: null, absent or ""

    bool has_error = false;
    std::string_view error;  // its words

    bool has_usage = false;
    Usage usage;
    std::string_view model;
    std::int64_t repaired = 0;
};

class ChunkReader {
public:
    ChunkReader();
    ~ChunkReader();
    ChunkReader(const ChunkReader&) = delete;
    ChunkReader& operator=(const ChunkReader&) = delete;

    [[nodiscard]] Chunk read(std::string_view json);

    // What the body of an error status says: the words of its JSON, else its first 512 bytes. Valid UTF-8, not scrubbed.
    [[nodiscard]] std::string error_text(std::string_view body);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace assay::chat
