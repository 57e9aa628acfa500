#include "scorers/statistics/cluster_error.hpp"

#include <cassert>
#include <cmath>
#include <map>

#include "scorers/statistics/sums.hpp"

namespace assay::statistics {
namespace {

std::map<int, std::vector<double>> by_label(std::span<const double> values, std::span<const int> labels) {
    assert(values.size() == labels.size());
    std::map<int, std::vector<double>> groups;
    for (std::size_t i = 0; i < values.size(); ++i) groups[labels[i]].push_back(values[i]);
    return groups;
}

double squares_about(std::span<const double> values, double centre) {
    Sum squares;
    for (const double x : values) squares.add((x - centre) * (x - centre));
    return squares.value();
}

}  // namespace

ClusterError cluster_error(std::span<const double> values, std::span<const int> cluster) {
    const auto groups = by_label(values, cluster);
    assert(groups.size() >= 2);
    const double n = static_cast<double>(values.size());
    const double c = static_cast<double>(groups.size());
    ClusterError e;
    e.clusters = static_cast<int>(groups.size());
    const double total = sum(values);
    e.mean = total / n;
    const double squares = squares_about(values, e.mean);
    e.independent = std::sqrt(squares / (n - 1) / n);
    Sum of_sums;
    Sum jackknife;
    for (const auto& [label, group] : groups) {
        const double size = static_cast<double>(group.size());
        const double group_sum = sum(group);
        const double away = group_sum - size * e.mean;
        of_sums.add(away * away);
        const double without = (total - group_sum) / (n - size) - e.mean;
        jackknife.add(without * without);
    }
    // The cross products within clusters are what the squared sums hold beyond the squares.
    e.miller = std::sqrt(std::fmax(0.0, e.independent * e.independent + (of_sums.value() - squares) / (n * n)));
    e.cr0 = std::sqrt(of_sums.value()) / n;
    e.cr1 = std::sqrt(c / (c - 1)) * e.cr0;
    e.jackknife = std::sqrt((c - 1) / c * jackknife.value());
    return e;
}

StratifiedError stratified_error(std::span<const double> values, std::span<const int> stratum) {
    const double n = static_cast<double>(values.size());
    StratifiedError e;
    e.mean = sum(values) / n;
    Sum variance;
    for (const auto& [label, group] : by_label(values, stratum)) {
        assert(group.size() >= 2);
        const double size = static_cast<double>(group.size());
        const double mean = sum(group) / size;
        e.means.push_back(mean);
        variance.add(size / n * (size / n) * squares_about(group, mean) / (size - 1) / size);
    }
    e.error = std::sqrt(variance.value());
    return e;
}

double pigeonhole_variance(std::span<const int> right, std::int64_t seeds) {
    const auto columns = static_cast<std::size_t>(seeds);
    assert(columns > 0 && right.size() % columns == 0);
    const std::size_t rows = right.size() / columns;
    std::vector<std::int64_t> by_row(rows, 0);
    std::vector<std::int64_t> by_column(columns, 0);
    std::int64_t total = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
        by_row[i / columns] += right[i];
        by_column[i % columns] += right[i];
        total += right[i];
    }
    const auto squares = [](const std::vector<std::int64_t>& sums) {
        std::int64_t s = 0;
        for (const std::int64_t x : sums) s += x * x;
        return static_cast<double>(s);
    };
    const double q = static_cast<double>(rows);
    const double s = static_cast<double>(seeds);
    const double mean = static_cast<double>(total) / (q * s);
    const double row_squares = squares(by_row) / (q * s * s);        // mean of squared question means
    const double column_squares = squares(by_column) / (s * q * q);  // mean of squared seed means
    return (1 - 1 / q) * (1 - 1 / s) * mean * mean + (1 - 1 / s) * row_squares / q + (1 - 1 / q) * column_squares / s +
           mean / (q * s) - mean * mean;  // a cell is 0 or 1, so its square is itself
}

}  // namespace assay::statistics
