// write_small_model DIALECT FOLDER: a checkpoint of a few kilobytes, for programs that read it from outside.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <string>

#include "tests/support/checkpoints/small_model.hpp"

namespace {

using namespace assay::support;

const std::map<std::string, Dialect> dialects{{"compressed_tensors_mxfp4", Dialect::compressed_tensors_mxfp4},
                                              {"gpt_oss", Dialect::gpt_oss},
                                              {"deepseek_v4", Dialect::deepseek_v4},
                                              {"modelopt_nvfp4", Dialect::modelopt_nvfp4},
                                              {"compressed_tensors_nvfp4", Dialect::compressed_tensors_nvfp4}};

SmallModel model_for(Dialect dialect) {
    if (dialect == Dialect::gpt_oss) return gpt_oss_like();
    if (dialect == Dialect::deepseek_v4) return deepseek_v4_like();
    return kimi_k3_like();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3 || dialects.count(argv[1]) == 0)
        return std::fprintf(stderr, "usage: write_small_model DIALECT FOLDER, as compressed_tensors_mxfp4\n"), 2;
    try {
        const Dialect dialect = dialects.at(argv[1]);
        const CheckpointFolder made(store(model_for(dialect), dialect));
        std::filesystem::copy(made.path(), argv[2]);
        return 0;
    } catch (const std::exception& error) {
        return std::fprintf(stderr, "write_small_model: %s\n", error.what()), 1;
    }
}
