#include "reports/csv/field.hpp"

#include "reports/terminal/visible.hpp"

namespace assay::reports {

std::string csv_field(std::string_view text) {
    std::string field = visible(text);
    if (!field.empty() && std::string_view("=+-@").find(field[0]) != std::string_view::npos) field.insert(0, "'");
    if (field.find_first_of(",\"") == std::string::npos) return field;
    std::string quoted = "\"";
    for (const char c : field) {
        quoted += c;
        if (c == '"') quoted += c;
    }
    return quoted + '"';
}

}  // namespace assay::reports
