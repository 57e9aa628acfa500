// The digest that the program makes, with whatever instructions the machine has, against the same hash made of plain
// integers in one go.
#include "datasets/checkpoints/fingerprint.hpp"

#define XXH_INLINE_ALL
#define XXH_VECTOR 0  // scalar
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <xxhash.h>
#pragma GCC diagnostic pop

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace assay::checkpoints {
namespace {

using Bytes = std::vector<std::byte>;

std::string plain_hash(std::span<const std::byte> bytes) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
    Digest digest;
    std::memcpy(digest.data(), canonical.digest, digest.size());
    return to_hex(digest);
}

Bytes random_bytes(std::mt19937& random, std::size_t size) {
    Bytes bytes(size);
    for (std::byte& one : bytes) one = static_cast<std::byte>(random());
    return bytes;
}

TEST(ByteDigest, IsThePlainHashOfEveryLengthUpToTwoThousandBytes) {
    std::mt19937 random(1);
    const Bytes bytes = random_bytes(random, 2100);
    for (std::size_t length = 0; length <= bytes.size(); ++length) {
        const auto some = std::span(bytes).first(length);
        ByteDigest digest;
        digest.add(some);
        ASSERT_EQ(to_hex(digest.value()), plain_hash(some)) << length;
    }
}

TEST(ByteDigest, IsThePlainHashWhereverThePiecesEndAndBegin) {
    std::mt19937 random(2);
    const Bytes bytes = random_bytes(random, 300'000);
    for (int round = 0; round < 200; ++round) {
        const std::size_t begin = random() % 64;  // aligned to nothing
        const auto all = std::span(bytes).subspan(begin, random() % (bytes.size() - begin));
        ByteDigest digest;
        for (std::size_t at = 0; at < all.size();) {
            const std::size_t most = round % 2 == 0 ? 40'000 : 300;
            const std::size_t piece = std::min<std::size_t>(all.size() - at, random() % most);
            digest.add(all.subspan(at, piece));
            at += piece;
        }
        ASSERT_EQ(to_hex(digest.value()), plain_hash(all)) << round;
    }
}

TEST(ByteDigest, ACopyGoesOnByItself) {
    std::mt19937 random(3);
    const Bytes bytes = random_bytes(random, 5000);
    ByteDigest first;
    first.add(std::span(bytes).first(3000));
    ByteDigest second = first;
    first.add(std::span(bytes).subspan(3000));
    EXPECT_EQ(to_hex(first.value()), plain_hash(bytes));
    EXPECT_EQ(to_hex(second.value()), plain_hash(std::span(bytes).first(3000)));
}

}  // namespace
}  // namespace assay::checkpoints
