#include "datasets/questions/csv_rows.hpp"

#include <csv.h>
#include <fmt/format.h>

#include <exception>
#include <new>

#include "harness/error.hpp"

namespace assay::questions {
namespace {

int is_no_space(unsigned char) { return 0; }

// One libcsv parser, fed line by line so that every field and row has its line.
class CsvReader {
public:
    explicit CsvReader(const std::string& file) : file_(file) {
        if (::csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI) != 0) throw std::bad_alloc();
        ::csv_set_space_func(&parser_, is_no_space);  // libcsv would trim unquoted fields
    }
    ~CsvReader() { ::csv_free(&parser_); }
    CsvReader(const CsvReader&) = delete;
    CsvReader& operator=(const CsvReader&) = delete;

    void read_line(std::string_view line, int number) {
        line_ = number;
        const bool blank = line.find_first_not_of("\r\n") == std::string_view::npos;
        if (!in_row_ && !blank) {
            in_row_ = true;
            row_line_ = field_line_ = number;
        }
        const std::size_t taken = ::csv_parse(&parser_, line.data(), line.size(), on_field, on_row, this);
        rethrow();
        if (taken != line.size()) fail(taken);
    }

    std::vector<CsvRow> finish() {
        if (::csv_fini(&parser_, on_field, on_row, this) != 0) {
            throw Error(fmt::format("{}: {}: the quoted field that begins on line {} is not closed before the end of the file; close it, "
                                    "and double the quotes inside it", file_, place(), field_line_));
        }
        rethrow();
        return std::move(rows_);
    }

private:
    // A C caller stands between these two and read_line: nothing may be thrown through it.
    static void on_field(void* bytes, std::size_t size, void* self_pointer) noexcept {
        auto& self = *static_cast<CsvReader*>(self_pointer);
        try {
            self.fields_.emplace_back(size == 0 ? "" : static_cast<const char*>(bytes), size);
        } catch (...) {
            self.thrown_ = std::current_exception();
        }
        self.field_line_ = self.line_;
    }
    static void on_row(int, void* self_pointer) noexcept {
        auto& self = *static_cast<CsvReader*>(self_pointer);
        try {
            self.rows_.push_back({self.row_line_, std::move(self.fields_)});
        } catch (...) {
            self.thrown_ = std::current_exception();
        }
        self.fields_.clear();
        self.in_row_ = false;
    }

    void rethrow() const {
        if (thrown_) std::rethrow_exception(thrown_);
    }

    [[nodiscard]] std::string place() const {
        return rows_.empty() ? fmt::format("header (line {})", row_line_) : fmt::format("row {} (line {})", rows_.size(), row_line_);
    }

    [[noreturn]] void fail(std::size_t taken) {
        if (::csv_error(&parser_) == CSV_ENOMEM) throw std::bad_alloc();
        const std::string where = fmt::format("{}: {}: byte {} of line {}", file_, place(), taken + 1, line_);
        if (parser_.quoted != 0) {
            throw Error(fmt::format("{} follows a closing quote of the field that begins on line {}, where a comma or the end of the line was "
                                    "expected; close that field, or double the quotes inside it", where, field_line_));
        }
        throw Error(fmt::format("{} is a quote inside an unquoted field; quote the whole field and double the quotes inside it", where));
    }

    const std::string& file_;
    csv_parser parser_{};
    std::vector<CsvRow> rows_;
    std::vector<std::string> fields_;
    int line_ = 0;        // being read
    int row_line_ = 1;    // on which the row being read began
    int field_line_ = 1;  // on which the field being read began
    bool in_row_ = false;
    std::exception_ptr thrown_;
};

// Length of the first line of `text` with its end: LF, CRLF or a lone CR.
std::size_t line_length(std::string_view text) {
    const std::size_t end = text.find_first_of("\r\n");
    if (end == std::string_view::npos) return text.size();
    const bool crlf = text[end] == '\r' && end + 1 < text.size() && text[end + 1] == '\n';
    return end + (crlf ? 2 : 1);
}

}  // namespace

std::vector<CsvRow> csv_rows(std::string_view text, const std::string& file) {
    CsvReader reader(file);
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t length = line_length(text);
        reader.read_line(text.substr(0, length), number);
        text.remove_prefix(length);
    }
    return reader.finish();
}

}  // namespace assay::questions
