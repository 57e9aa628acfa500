// write_kimi_k3 FOLDER [CONFIG.json [ROWS.safetensors EXPERTS]]: all 96 shards as sparse files; of layer 1 as many experts
// as are asked for hold real blocks, the published rows of one of them over and over.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/checkpoints/kimi_k3_geometry.hpp"

int main(int argc, char** argv) {
    if (argc < 2) return std::fprintf(stderr, "usage: write_kimi_k3 FOLDER [CONFIG.json [ROWS.safetensors EXPERTS]]\n"), 2;
    try {
        std::string config = "{}";
        if (argc > 2) {
            std::ifstream file(argv[2]);
            config.assign(std::istreambuf_iterator<char>(file), {});
        }
        std::filesystem::create_directories(argv[1]);
        assay::support::write_kimi_k3_geometry(argv[1], config);
        if (argc > 4)
            assay::support::fill_kimi_k3_experts(argv[1], 1, static_cast<unsigned>(std::stoul(argv[4])), argv[3]);
        return 0;
    } catch (const std::exception& error) {
        return std::fprintf(stderr, "write_kimi_k3: %s\n", error.what()), 1;
    }
}
