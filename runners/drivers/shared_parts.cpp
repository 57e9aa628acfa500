#include "runners/drivers/shared_parts.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace assay::runners {

SharedParts::SharedParts(ranks::Ranks& ranks, const std::string& folder,
                         const std::function<bool(const std::string& part)>& finished)
    : ranks_(ranks), claims_(folder, ranks.name()) {
    if (ranks_.rank() == 0) {
        for (ranks::Claim& claim : claims_.all()) {
            claims_.release(claim.part);
            if (!finished(claim.part)) left_over_.push_back(std::move(claim));
        }
    }
    ranks_.wait_for_all();
}

bool SharedParts::spread(const std::vector<Part>& parts, const std::function<bool(std::size_t)>& work,
                         WalkProgress* progress) {
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return parts[a].bytes > parts[b].bytes; });
    std::uint64_t mine = 0;
    const auto foresee = [&] {
        if (progress == nullptr) return;
        std::set<std::string> taken;
        for (ranks::Claim& claim : claims_.all()) taken.insert(std::move(claim.part));
        std::uint64_t rest = 0;
        for (const Part& part : parts) rest += taken.contains(part.name) ? 0 : part.bytes;
        progress->bytes_total = mine + rest / static_cast<std::uint64_t>(ranks_.size());
    };
    bool stopped = false;
    for (const std::size_t part : order) {
        if (!claims_.take(parts[part].name)) continue;
        mine += parts[part].bytes;
        foresee();
        if (!work(part)) {
            claims_.release(parts[part].name);  // stopped in good order: nothing was lost with it
            stopped = true;
            break;
        }
    }
    return !ranks_.any(stopped);
}

}  // namespace assay::runners
