// Fuzz targets: the parsers of bytes from outside, each as a function that takes any bytes and aborts where a promise of
// the parser's header is broken. A finding is a crash, a sanitizer's report, a broken promise, a hang or a leap in memory.
#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <string_view>

namespace assay::fuzz {

using Input = std::span<const std::uint8_t>;

void safetensors_header(Input input);  // a whole file: parse, recognise, take stock, inspect
void checkpoint_index(Input input);    // model.safetensors.index.json
void checkpoint_config(Input input);   // config.json and hf_quant_config.json, a zero byte between them, and all rules
void event_stream(Input input);        // the first byte says how the rest is split; status, body, chunks, reply
void journal(Input input);             // a journal file, whole: scanned, and its records read again

struct Target {
    std::string_view name;  // and that of its folder in corpus/
    void (*run)(Input);

    // A test that is given one has this in its name.
    friend std::ostream& operator<<(std::ostream& out, const Target& target) { return out << target.name; }
};

inline constexpr Target targets[] = {{"safetensors_header", safetensors_header},
                                     {"checkpoint_index", checkpoint_index},
                                     {"checkpoint_config", checkpoint_config},
                                     {"event_stream", event_stream},
                                     {"journal", journal}};

// Ends the process where a promise is broken, whatever the build type.
inline void promise(bool kept) {
    if (!kept) __builtin_trap();
}

inline std::string_view text_of(Input input) { return {reinterpret_cast<const char*>(input.data()), input.size()}; }

}  // namespace assay::fuzz
