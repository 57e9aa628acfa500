// The golden file's functions: each name with the code that computes the same from the case's inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scorers/statistics/interval.hpp"

namespace assay::statistics::golden {

using nlohmann::json;

// inputs and the file's fixtures -> the same fields as the case's "expect".
using Function = std::function<json(const json& inputs, const json& fixtures)>;
using Functions = std::map<std::string, Function>;

void add_proportions(Functions& functions);
void add_seeds(Functions& functions);
void add_draws(Functions& functions);
void add_comparisons(Functions& functions);
void add_lengths(Functions& functions);
void add_tables(Functions& functions);

inline json array(const Interval& interval) { return json::array({interval.low, interval.high}); }

template <class T>
std::vector<T> values(const json& list) {
    return list.get<std::vector<T>>();
}

// A fixture's rows of '0' and '1', as right answers a question.
std::vector<std::int64_t> correct_of(const json& table);

}  // namespace assay::statistics::golden
