#include "datasets/questions/choice_order.hpp"

#include <algorithm>
#include <numeric>

#include "datasets/questions/python_random.hpp"
#include "datasets/questions/unicode.hpp"
#include "harness/files/digest.hpp"

namespace assay::questions {
namespace {

std::vector<int> correct_first(const Record& record) {
    std::vector<int> order(record.incorrect.size() + 1);
    std::iota(order.begin(), order.end(), 0);
    return order;
}

std::vector<int> correct_last(const Record& record) {
    std::vector<int> order = correct_first(record);
    std::rotate(order.begin(), order.begin() + 1, order.end());
    return order;
}

// The number that the first 16 hexadecimal digits stand for.
std::uint64_t seed_of(std::string_view sha256_hex) {
    std::uint64_t seed = 0;
    for (const char digit : sha256_hex.substr(0, 16)) {
        seed = seed << 4U | static_cast<std::uint64_t>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    }
    return seed;
}

}  // namespace

ChoiceOrder shuffled_from_one_seed(std::uint64_t seed) {
    return [random = PythonRandom(seed)](const Record& record) mutable {
        std::vector<int> order = correct_last(record);
        random.shuffle(order);
        return order;
    };
}

ChoiceOrder shuffled_correct_first(std::uint64_t seed) {
    return [random = PythonRandom(seed)](const Record& record) mutable {
        std::vector<int> order = correct_first(record);
        random.shuffle(order);
        return order;
    };
}

ChoiceOrder sampled_from_one_seed(std::uint64_t seed) {
    return [random = PythonRandom(seed)](const Record& record) mutable {
        return random.sample(static_cast<int>(record.incorrect.size()) + 1);
    };
}

ChoiceOrder shuffled_from_question() {
    return [](const Record& record) {
        std::vector<int> order = correct_last(record);
        PythonRandom(seed_of(files::sha256_hex(python_strip(record.question)))).shuffle(order);
        return order;
    };
}

ChoiceOrder turned_by_row() {
    return [](const Record& record) {
        std::vector<int> order = correct_first(record);
        const std::size_t turns = (static_cast<std::size_t>(record.row) + 1) % order.size();
        std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(turns), order.end());
        return order;
    };
}

}  // namespace assay::questions
