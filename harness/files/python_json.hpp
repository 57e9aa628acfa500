// JSON text exactly as CPython's json module writes it, for files that other programs compare byte for byte.
//
// Source of the forms: json.encoder.py_encode_basestring_ascii and float.__repr__ of CPython 3.
// Pure functions, independent of the locale.
#pragma once

#include <string>
#include <string_view>

namespace assay::files {

// json.dumps(text, ensure_ascii=True): quotes included, 7-bit ASCII only, code points above U+FFFF as a pair
// of surrogates, lower-case hex. Each ill-formed UTF-8 sequence is written as U+FFFD.
[[nodiscard]] std::string python_json_string(std::string_view utf8);

// json.dumps(value): the shortest digits that give the value back, always with a point or an exponent
// ("1.0", "1e-05", "1e+16"); "NaN", "Infinity" and "-Infinity", which are no JSON, as Python has them.
[[nodiscard]] std::string python_json_float(double value);

}  // namespace assay::files
