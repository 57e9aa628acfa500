#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "harness/journal/reader.hpp"
#include "tests/fuzz/targets.hpp"

namespace assay::fuzz {
namespace {

// The bytes as a file that a path opens.
class Bytes {
public:
    Bytes() : fd_(::memfd_create("journal", MFD_CLOEXEC)) { promise(fd_ >= 0); }
    ~Bytes() { ::close(fd_); }
    Bytes(const Bytes&) = delete;
    Bytes& operator=(const Bytes&) = delete;

    void become(Input input) const {
        promise(::ftruncate(fd_, 0) == 0);
        promise(::pwrite(fd_, input.data(), input.size(), 0) == static_cast<ssize_t>(input.size()));
    }
    [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

private:
    int fd_;
};

struct Place {
    std::int64_t offset;
    std::int64_t length;
    std::string payload;
};

}  // namespace

void journal(Input input) {
    static const Bytes file;
    file.become(input);
    journal::Reader reader(file.path());
    std::vector<Place> places;
    std::int64_t last = 0;
    std::int64_t damages = 0;
    const auto scan = reader.scan(
        [&](const journal::Record& record) {
            promise(record.seq > last && record.offset >= 0 && record.length > 0);
            promise(record.offset + record.length <= static_cast<std::int64_t>(input.size()));
            promise(record.payload.starts_with('{') && record.payload.ends_with('}'));
            last = record.seq;
            places.push_back({record.offset, record.length, std::string(record.payload)});
        },
        [&](const journal::Damage& damage) {
            promise(!journal::describe(damage).empty());
            ++damages;
        });
    promise(scan.records == static_cast<std::int64_t>(places.size()));
    promise(scan.next_seq > last);
    promise(scan.file_bytes == static_cast<std::int64_t>(input.size()) && scan.whole_bytes <= scan.file_bytes);
    for (const Place& place : places) promise(reader.at(place.offset, place.length).payload == place.payload);
    // What was not said to be damaged is the records, whole and from the first.
    if (damages == 0) promise(last == scan.records && scan.whole_bytes == scan.file_bytes);
}

}  // namespace assay::fuzz
