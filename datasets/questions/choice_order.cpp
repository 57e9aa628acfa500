#include "datasets/questions/choice_order.hpp"

#include "datasets/questions/python_random.hpp"

namespace assay::questions {

ChoiceOrder shuffled_from_one_seed(std::uint64_t seed) {
    return [random = PythonRandom(seed)](const Record& record) mutable {
        std::vector<int> order;
        for (int i = 1; i <= static_cast<int>(record.incorrect.size()); ++i) order.push_back(i);
        order.push_back(0);
        random.shuffle(order);
        return order;
    };
}

}  // namespace assay::questions
