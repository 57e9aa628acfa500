#include "harness/ranks/claims.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "harness/error.hpp"
#include "harness/files/folder.hpp"
#include "harness/files/open_error.hpp"
#include "harness/files/read_file.hpp"
#include "harness/loop/file_descriptor.hpp"

namespace assay::ranks {
namespace {

constexpr std::string_view suffix = ".claim";
constexpr std::uint64_t longest_owner = 4096;

}  // namespace

Claims::Claims(std::string folder, std::string owner) : folder_(std::move(folder)), owner_(std::move(owner)) {
    files::create_folder(folder_);
}

std::string Claims::path_of(std::string_view part) const {
    assert(!part.empty() && part.find('/') == std::string_view::npos);
    return fmt::format("{}/{}{}", folder_, part, suffix);
}

bool Claims::take(std::string_view part) {
    const std::string path = path_of(part);
    const loop::FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!file.open()) {
        if (errno == EEXIST) return false;
        throw Error(fmt::format("cannot claim a part at '{}': {}", path, std::generic_category().message(errno)));
    }
    // The name is for people: a claim whose name could not be written is a claim all the same.
    [[maybe_unused]] const ssize_t put = ::write(file.get(), owner_.data(), owner_.size());
    return true;
}

std::vector<Claim> Claims::all() const {
    std::vector<Claim> claims;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder_, error), end; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (!name.ends_with(suffix)) continue;
        const std::string path = entry->path().string();
        try {
            claims.push_back({name.substr(0, name.size() - suffix.size()), files::read_file(path, longest_owner)});
        } catch (const files::OpenError& trouble) {
            if (trouble.code() != ENOENT) throw;  // released since it was listed
        }
    }
    if (error && error != std::errc::no_such_file_or_directory) {
        throw Error(fmt::format("cannot list the claims in '{}': {}", folder_, error.message()));
    }
    std::sort(claims.begin(), claims.end(), [](const Claim& a, const Claim& b) { return a.part < b.part; });
    return claims;
}

void Claims::release(std::string_view part) {
    const std::string path = path_of(part);
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
        throw Error(fmt::format("cannot remove the claim '{}': {}", path, std::generic_category().message(errno)));
    }
}

}  // namespace assay::ranks
