// Random texts over the pieces that answers are made of, the same on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::multichoice::generated {

class Texts {
public:
    explicit Texts(std::uint64_t seed) : state_(seed) {}

    std::string next() {
        static constexpr std::array<std::string_view, 64> kPieces{
            "Answer", "answer", "ANSWER", "An\u017fwer", "Final ", ":", ":", ": ", " :", "\uff1a", "*", "**", "_", "__", " ", " ",
            "\n", "\n", "\t", "\u00a0", "\u3000", "\u200b", "\x1c", "A", "B", "C", "D", "E", "I", "K", "a", "b",
            "\u0131", "\u017f", "\u212a", "\u0130", "\uff22", "\\boxed{", "\\boxed", "\\text{", "{", "}", "}", "\\fbox{", "(", ")", "[", "]",
            "$", ".", "1", "\u00b2", "\u0394", "The final answer is ", "the answer is ", "\u0628", "is", "option ", "A)", "(B)", "D.", "\\{", "\r", "\U0001F600"};
        std::string text;
        const std::uint64_t pieces = draw() % 24;
        for (std::uint64_t i = 0; i < pieces; ++i) text += kPieces[draw() % kPieces.size()];
        return text;
    }

private:
    // splitmix64
    std::uint64_t draw() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

    std::uint64_t state_;
};

}  // namespace assay::multichoice::generated
