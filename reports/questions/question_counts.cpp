#include "reports/questions/question_counts.hpp"

#include <algorithm>
#include <map>

namespace assay::reports {
namespace {

bool goes_first(const NamedCount& a, const NamedCount& b) { return a.count != b.count ? a.count > b.count : a.name < b.name; }

}  // namespace

std::vector<DomainCount> count_domains(const std::vector<questions::Question>& questions) {
    std::map<std::string, std::map<std::string, int>> counts;
    for (const questions::Question& question : questions) ++counts[question.domain][question.subdomain];
    std::vector<DomainCount> domains;
    for (const auto& [domain, subdomains] : counts) {
        DomainCount entry{{domain, 0}, {}};
        for (const auto& [subdomain, count] : subdomains) {
            entry.domain.count += count;
            entry.subdomains.push_back({subdomain, count});
        }
        std::sort(entry.subdomains.begin(), entry.subdomains.end(), goes_first);
        domains.push_back(std::move(entry));
    }
    std::sort(domains.begin(), domains.end(), [](const DomainCount& a, const DomainCount& b) { return goes_first(a.domain, b.domain); });
    return domains;
}

std::vector<int> count_letters(const std::vector<questions::Question>& questions, int most_choices) {
    std::vector<int> counts(static_cast<std::size_t>(most_choices));
    for (const questions::Question& question : questions) ++counts[question.correct];
    return counts;
}

}  // namespace assay::reports
