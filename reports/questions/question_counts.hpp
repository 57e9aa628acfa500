// Counts of questions by domain, subdomain and correct letter.
#pragma once

#include <string>
#include <vector>

#include "datasets/questions/question.hpp"

namespace assay::reports {

struct NamedCount {
    std::string name;  // empty where the file names none
    int count = 0;
};

struct DomainCount {
    NamedCount domain;
    std::vector<NamedCount> subdomains;
};

// Largest first, equal ones by name; subdomains likewise.
[[nodiscard]] std::vector<DomainCount> count_domains(const std::vector<questions::Question>& questions);

// How many questions have their correct choice at each letter: index 0 is A. As many letters as `most_choices`.
[[nodiscard]] std::vector<int> count_letters(const std::vector<questions::Question>& questions, int most_choices);

}  // namespace assay::reports
