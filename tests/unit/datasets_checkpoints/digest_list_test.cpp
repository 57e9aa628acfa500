#include "datasets/checkpoints/digest_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/error.hpp"
#include "harness/files/digest.hpp"

namespace assay::checkpoints {
namespace {

using testing::HasSubstr;

const std::string hex(64, 'a');

std::string error_of(const std::string& text) {
    try {
        (void)parse_digests(text, "list.jsonl");
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(DigestList, IsReadAsItWasWritten) {
    DigestList list;
    list.checkpoint = "Kimi \"K3\"";
    list.fingerprint = "0123";
    list.files = {{"model-00001-of-000096.safetensors", 2'341'216'112, hex}};
    list.tensors = {{"a.weight", Dtype::BF16, {3, 4}, hex}, {"s", Dtype::F32, {}, std::string(64, '0')}};
    const DigestList read = parse_digests(digests_text(list), "list.jsonl");
    EXPECT_EQ(digests_text(read), digests_text(list));
    EXPECT_EQ(read.checkpoint, list.checkpoint);
    ASSERT_EQ(read.files.size(), 1U);
    EXPECT_EQ(read.files[0].bytes, 2'341'216'112U);
    ASSERT_EQ(read.tensors.size(), 2U);
    EXPECT_EQ(read.tensors[0].shape, (std::vector<std::uint64_t>{3, 4}));
    EXPECT_EQ(read.tensors[1].dtype, Dtype::F32);
}

TEST(DigestList, TakesLinesOfSha256sumAndOfGitLfs) {
    const DigestList list =
        parse_digests(hex + "  a.safetensors\r\n\n" + hex + " *dir/b c.safetensors\n" + hex + " - ./d\n" + hex + " * e", "sums");
    std::vector<std::string> names;
    for (const FileDigest& one : list.files) names.push_back(one.file);
    EXPECT_EQ(names, (std::vector<std::string>{"a.safetensors", "b c.safetensors", "d", "e"}));
}

TEST(DigestList, RefusesANewerFormatByName) {
    EXPECT_THAT(error_of("{\"format\":\"assay.digests/2\"}\n"), HasSubstr("assay.digests/2"));
    EXPECT_THAT(error_of("{\"format\":\"assay.audit/1\"}\n"), HasSubstr("assay.audit/1"));
}

TEST(DigestList, NamesTheLineThatIsNoDigest) {
    const std::vector<std::string> wrong{
        "a line", hex, hex + "  ", std::string(63, 'a') + "  x", std::string(64, 'A') + "  x", R"({"file":"x"})",
        R"({"file":"x","sha256":"12"})", "{", R"({"tensor":"x","dtype":"Q4","shape":[],"sha256":")" + hex + "\"}",
        R"({"format":3})"};
    for (const std::string& line : wrong)
        EXPECT_THAT(error_of(hex + "  x\n" + line + "\n"), HasSubstr("list.jsonl, line 2")) << line;
}

TEST(DigestList, ATextWithoutDigestsIsNoList) {
    EXPECT_THAT(error_of(""), HasSubstr("holds no digests"));
    EXPECT_THAT(error_of("{\"format\":\"assay.digests/1\"}\n"), HasSubstr("holds no digests"));
}

TEST(Sha256, OfPiecesIsThatOfTheWhole) {
    files::Sha256 hash;
    for (const std::string_view piece : {"a", "", "bc"}) hash.add(std::as_bytes(std::span(piece)));
    EXPECT_EQ(hash.hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(files::sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(files::sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

}  // namespace
}  // namespace assay::checkpoints
