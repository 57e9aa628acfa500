#include <algorithm>
#include <memory>
#include <string>

#include "datasets/checkpoints/checkpoint.hpp"
#include "datasets/checkpoints/header.hpp"
#include "datasets/checkpoints/inventory.hpp"
#include "datasets/checkpoints/module.hpp"
#include "datasets/checkpoints/tensor_detail.hpp"
#include "harness/error.hpp"
#include "reports/checkpoints/inspect_report.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/checkpoints/memory_file.hpp"

namespace assay::fuzz {
namespace {

using namespace checkpoints;

// A file without faults is covered from its header to its end, tensor after tensor.
void check_clean(const Header& header, std::uint64_t size) {
    std::uint64_t at = 8 + header.length;
    for (const Tensor& tensor : header.tensors) {
        promise(tensor.begin == at);
        at = tensor.end;
    }
    promise(at == size);
}

void check(const Header& header, std::uint64_t size) {
    promise(header.fault_count >= header.faults.size());
    promise(header.faults.size() <= Header::most_faults);
    promise(header.readable || header.fault_count > 0);
    for (const Tensor& tensor : header.tensors) promise(tensor.end >= tensor.begin);
    for (const HeaderFault& fault : header.faults) promise(!fault.message.empty());
    std::vector<std::string_view> names;
    for (const Tensor& tensor : header.tensors) names.push_back(tensor.name);
    std::sort(names.begin(), names.end());
    promise(std::adjacent_find(names.begin(), names.end()) == names.end());
    if (header.fault_count == 0) check_clean(header, size);
}

// What `assay inspect` does with the file.
void inspect(Header header, const std::shared_ptr<const files::ByteReader>& file) {
    Checkpoint checkpoint;
    checkpoint.folder = "folder";
    Shard shard;
    shard.file = "one.safetensors";
    shard.bytes = file->size();
    shard.faults = std::move(header.faults);
    shard.fault_count = header.fault_count;
    shard.metadata = std::move(header.metadata);
    shard.reader = file;
    checkpoint.shards.push_back(std::move(shard));
    checkpoint.tensors = std::move(header.tensors);
    std::sort(checkpoint.tensors.begin(), checkpoint.tensors.end(),
              [](const Tensor& a, const Tensor& b) { return a.name < b.name; });
    const Recognition recognition = recognise(checkpoint.tensors);
    const Inventory inventory = take_inventory(checkpoint, recognition);
    promise(!reports::inspect_text({checkpoint, recognition, inventory}, {}).empty());
    promise(!reports::inspect_json({checkpoint, recognition, inventory}).empty());
    for (const Tensor& tensor : checkpoint.tensors) {
        try {
            promise(!reports::tensor_json(look_closely(checkpoint, recognition, tensor.name)).empty());
        } catch (const Error&) {
            promise(false);  // the name was there
        }
    }
}

}  // namespace

void safetensors_header(Input input) {
    const std::span<const std::byte> bytes = std::as_bytes(input);
    const auto file = std::make_shared<support::MemoryFile>(std::vector<std::byte>(bytes.begin(), bytes.end()));
    Header header = read_header(*file);
    check(header, file->size());
    constexpr std::size_t few = 64;  // many would only be slow
    if (header.tensors.size() <= few) inspect(std::move(header), file);
}

}  // namespace assay::fuzz
