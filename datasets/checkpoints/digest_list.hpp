// DigestList: sha256 of a checkpoint's files and tensors, and its file, assay.digests/1:
//
//     {"format":"assay.digests/1","checkpoint":"Kimi-K3","fingerprint":"88ef.."}
//     {"file":"model-00001-of-000096.safetensors","bytes":2341216112,"sha256":"4d7a.."}
//     {"tensor":"language_model.lm_head.weight","dtype":"BF16","shape":[163840,7168],"sha256":"90c1.."}
//
// One JSON object a line. Lines of sha256sum ("4d7a..  name") and of git lfs ls-files -l ("4d7a.. * name") are read as well:
// they are digests of files, and only the last part of the name counts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/checkpoints/dtype.hpp"

namespace assay::checkpoints {

struct FileDigest {
    std::string file;         // name in the folder
    std::uint64_t bytes = 0;  // 0: not known
    std::string sha256;       // 64 lower-case hexadecimal digits
};

struct TensorDigest {
    std::string tensor;
    Dtype dtype{};
    std::vector<std::uint64_t> shape;
    std::string sha256;
};

struct DigestList {
    std::string checkpoint;   // what it is of; may be empty
    std::string fingerprint;  // 32 hexadecimal digits; empty where not known
    std::vector<FileDigest> files;
    std::vector<TensorDigest> tensors;
};

// The file's text, ended by LF.
[[nodiscard]] std::string digests_text(const DigestList& list);

// Throws assay::Error, naming `where` and the line, for a line of neither form, a newer format, and a text without digests.
[[nodiscard]] DigestList parse_digests(std::string_view text, const std::string& where);

}  // namespace assay::checkpoints
