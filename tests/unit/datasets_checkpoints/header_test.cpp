#include "datasets/checkpoints/header.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/checkpoints/checkpoint_folder.hpp"

namespace assay::checkpoints {
namespace {

using support::CheckpointFolder;
using support::Dtype;
using Kind = HeaderFaultKind;
using testing::HasSubstr;

Header header_of(const std::string& file) {
    const CheckpointFolder folder;
    folder.write("x.safetensors", file);
    return read_header(*files::open_for_reading(folder.path("x.safetensors")));
}

Header header_of(const std::string& json, std::size_t data_bytes) {
    return header_of(support::file_with_header(json, data_bytes));
}

// The only fault of a file; the test fails where there are none or several.
HeaderFault only_fault(const Header& header) {
    EXPECT_EQ(header.fault_count, 1U);
    if (header.faults.size() != 1) {
        for (const HeaderFault& fault : header.faults) ADD_FAILURE() << fault.message;
        return {};
    }
    return header.faults[0];
}

std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
    return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

TEST(Header, ReadsWhatTheStockWriterWrites) {
    const Header header = header_of(support::safetensors_file(
        {support::counted_tensor("b", Dtype::U8, {2, 3}), support::counted_tensor("a", Dtype::F32, {}),
         support::counted_tensor("empty", Dtype::BF16, {0, 4})},
        {{"format", "pt"}}));
    EXPECT_TRUE(header.readable);
    EXPECT_EQ(header.fault_count, 0U);
    EXPECT_EQ(header.metadata.at("format"), "pt");
    ASSERT_EQ(header.tensors.size(), 3U);
    EXPECT_EQ(header.tensors[0].name, "a");
    EXPECT_EQ(header.tensors[0].begin, 8 + header.length);
    EXPECT_EQ(header.tensors[1].name, "empty");
    EXPECT_EQ(header.tensors[2].shape, (std::vector<std::uint64_t>{2, 3}));
    EXPECT_EQ(header.tensors[2].bytes(), 6U);
}

TEST(Header, KnowsEveryDtypeWithItsBits) {
    for (int i = 0; i < dtype_count; ++i) {
        const auto dtype = static_cast<Dtype>(i);
        const unsigned bits = bits_of(dtype);
        const Header header = header_of(
            "{" + entry("t", std::string(to_string(dtype)), "[8]", "[0," + std::to_string(bits) + "]") + "}", bits);
        EXPECT_EQ(header.fault_count, 0U) << to_string(dtype);
        EXPECT_EQ(header.tensors.at(0).dtype, dtype);
    }
}

TEST(Header, TooShortAFileIsNamed) {
    const HeaderFault fault = only_fault(header_of("1234567"));
    EXPECT_EQ(fault.kind, Kind::file_too_small);
    EXPECT_EQ(fault.found, 7U);
}

TEST(Header, ALengthAboveTheLimitIsNamed) {
    std::string file = support::file_with_header("{}", 0);
    file[3] = 6;  // 2 + 6 * 2^24 = 100,663,298
    const HeaderFault fault = only_fault(header_of(file));
    EXPECT_EQ(fault.kind, Kind::header_too_large);
    EXPECT_EQ(fault.found, 100'663'298U);
}

TEST(Header, ALengthPastTheEndIsNamed) {
    std::string file = support::file_with_header("{}", 0);
    file[0] = 3;
    EXPECT_EQ(only_fault(header_of(file)).kind, Kind::header_beyond_file);
}

TEST(Header, AGitLfsPointerIsNamedWithOidAndSize) {
    const std::string oid(64, 'a');
    const HeaderFault fault =
        only_fault(header_of("version https://git-lfs.github.com/spec/v1\noid sha256:" + oid + "\nsize 16990911504\n"));
    EXPECT_EQ(fault.kind, Kind::git_lfs_pointer);
    EXPECT_EQ(fault.expected, 16'990'911'504U);
    EXPECT_THAT(fault.message, HasSubstr("sha256:" + oid));
}

TEST(Header, AGgufFileIsNamed) { EXPECT_EQ(only_fault(header_of("GGUF\3zzzzzzzzzzzzzz")).kind, Kind::gguf_file); }

TEST(Header, BytesThatAreNoUtf8AreNamed) { EXPECT_EQ(only_fault(header_of("{\"\xff\":1}", 0)).kind, Kind::not_utf8); }

TEST(Header, LeadingSpaceIsNamedAndTheRestIsRead) {
    const Header header = header_of(" {" + entry("t", "U8", "[1]", "[0,1]") + "}", 1);
    EXPECT_EQ(only_fault(header).kind, Kind::leading_byte);
    EXPECT_EQ(header.tensors.size(), 1U);
}

TEST(Header, AnEmptyHeaderIsNamed) {
    const Header header = header_of("", 0);
    EXPECT_EQ(only_fault(header).kind, Kind::leading_byte);
    EXPECT_FALSE(header.readable);
}

// The parser would skip it, and the reference reader does not.
TEST(Header, AByteOrderMarkIsNoWhiteSpace) {
    const Header header = header_of("\xef\xbb\xbf{" + entry("t", "U8", "[1]", "[0,1]") + "}", 1);
    EXPECT_EQ(only_fault(header).kind, Kind::leading_byte);
    EXPECT_FALSE(header.readable);
}

TEST(Header, AFileOfAnotherKindIsSaidToBeginAsItDoes) {
    const auto said = [](const std::string& file) { return only_fault(header_of(file)).message; };
    EXPECT_THAT(said("<!DOCTYPE html><html>" + std::string(99, ' ')), HasSubstr("the file begins with the text '<!DOCTYP'"));
    EXPECT_THAT(said("version https://git-lfs.github.com/spec/v1\noid sha256:cut"), HasSubstr("the text 'version '"));
    EXPECT_THAT(said("PK\3\4" + std::string(99, '\1')), HasSubstr("as a zip archive, as PyTorch's own files are"));
}

TEST(Header, TrailingSpacesAreFine) {
    EXPECT_EQ(header_of("{" + entry("t", "U8", "[1]", "[0,1]") + "}      ", 1).fault_count, 0U);
}

TEST(Header, AZeroByteIsNoPadding) {
    for (const std::string& end : {std::string("\0", 1), std::string("\0 x", 3)}) {
        const Header header = header_of("{" + entry("t", "U8", "[1]", "[0,1]") + "}" + end, 1);
        EXPECT_EQ(only_fault(header).kind, Kind::not_json);
        EXPECT_FALSE(header.readable);
    }
}

TEST(Header, BrokenJsonIsNamedWithItsByte) {
    const Header header = header_of("{\"a\":{\"dtype\":\"U8\",}", 0);
    EXPECT_FALSE(header.readable);
    EXPECT_EQ(only_fault(header).kind, Kind::not_json);
    EXPECT_EQ(header.faults[0].offset, 8U + 19U);
}

TEST(Header, ValuesOfAWrongTypeAreNamedWithTheTensor) {
    for (const std::string& json :
         {entry("t", "U8", "[1.5]", "[0,1]"), entry("t", "U8", "[1]", "[0,-1]"), entry("t", "U8", "[1]", "[0]"),
          entry("t", "U8", "[1]", "[0,1,2]"), entry("t", "U8", "1", "[0,1]"), entry("t", "U8", "[[1]]", "[0,1]"),
          entry("t", "U8", "[18446744073709551616]", "[0,1]"), std::string("\"t\":7"), std::string("\"t\":[]"),
          std::string("\"t\":{\"dtype\":8,\"shape\":[1],\"data_offsets\":[0,1]}")}) {
        const Header header = header_of("{" + json + "}", 0);
        ASSERT_FALSE(header.faults.empty()) << json;
        EXPECT_EQ(header.faults[0].kind, Kind::wrong_type) << json;
        EXPECT_EQ(header.faults[0].tensor, "t") << json;
        EXPECT_TRUE(header.tensors.empty()) << json;
    }
    EXPECT_EQ(only_fault(header_of("{\"__metadata__\":{\"n\":1}}", 0)).kind, Kind::wrong_type);
    EXPECT_EQ(header_of("[]", 0).faults.back().kind, Kind::wrong_type);
}

TEST(Header, ANumberNoReaderCanHoldIsNamedWithItsTensor) {
    for (const std::string& number : {std::string(400, '9'), std::string("1e999")}) {
        const Header header = header_of("{" + entry("t", "U8", "[" + number + "]", "[0,1]") + "}", 1);
        const HeaderFault fault = only_fault(header);
        EXPECT_EQ(fault.kind, Kind::wrong_type);
        EXPECT_EQ(fault.tensor, "t");
        EXPECT_THAT(fault.message, HasSubstr("shape of tensor 't' holds a number too large for any reader: " + number.substr(0, 5)));
        EXPECT_LT(fault.message.size(), 200U);
    }
}

// What an entry that was not understood would have covered is no hole, and not what follows the last tensor.
TEST(Header, BytesOfATensorThatCouldNotBeReadAreNoHole) {
    const std::string good = entry("a", "U8", "[1]", "[0,1]");
    for (const std::string& bad : {entry("t", "F4_E2M1", "[4]", "[1,3]"), entry("t", "U8", "[1.5]", "[1,3]"),
                                   std::string("\"t\":7"), entry("t", "U8", "[2]", "[3,1]")}) {
        EXPECT_EQ(header_of("{" + good + "," + bad + "}", 3).fault_count, 1U) << bad;
        EXPECT_EQ(header_of("{" + good + "," + bad + "," + entry("b", "U8", "[1]", "[3,4]") + "}", 4).fault_count, 1U) << bad;
        EXPECT_EQ(header_of("{" + good + "," + bad + "," + entry("b", "U8", "[1]", "[3,4]") + "}", 3).faults.back().kind, Kind::truncated);
    }
}

TEST(Header, OneByteIsSaidAsOne) {
    EXPECT_THAT(only_fault(header_of("{" + entry("t", "U8", "[1]", "[0,1]") + "}", 2)).message, HasSubstr("1 byte follows the last tensor"));
    EXPECT_THAT(only_fault(header_of("{" + entry("t", "U8", "[2]", "[0,2]") + "}", 1)).message, HasSubstr("1 is missing"));
}

TEST(Header, AMissingFieldIsNamed) {
    const HeaderFault fault = only_fault(header_of("{\"t\":{\"dtype\":\"U8\",\"shape\":[1]}}", 0));
    EXPECT_EQ(fault.kind, Kind::missing_field);
    EXPECT_THAT(fault.message, HasSubstr("data_offsets"));
}

TEST(Header, AnUnknownDtypeIsNamed) {
    const HeaderFault fault = only_fault(header_of("{" + entry("t", "F4_E2M1", "[2]", "[0,1]") + "}", 0));
    EXPECT_EQ(fault.kind, Kind::unknown_dtype);
    EXPECT_THAT(fault.message, HasSubstr("F4_E2M1"));
}

TEST(Header, ExtraFieldsAreIgnoredHoweverDeep) {
    EXPECT_EQ(header_of("{\"t\":{\"extra\":{\"a\":[1,{\"b\":null}]},\"dtype\":\"U8\",\"more\":1.5,\"shape\":[1],\"data_"
                        "offsets\":[0,1]}}",
                        1)
                  .fault_count,
              0U);
}

TEST(Header, ADuplicateTensorIsNamedWithBothPlacesAndTheLastIsKept) {
    const Header header =
        header_of("{" + entry("t", "U8", "[1]", "[0,1]") + "," + entry("t", "U8", "[2]", "[1,3]") + "}", 3);
    const HeaderFault fault = only_fault(header);
    EXPECT_EQ(fault.kind, Kind::duplicate_key);
    EXPECT_EQ(fault.tensor, "t");
    ASSERT_EQ(header.tensors.size(), 1U);
    EXPECT_EQ(header.tensors[0].shape[0], 2U);
}

TEST(Header, ADuplicateThatIsEmptyOrIdenticalIsFoundToo) {
    EXPECT_EQ(
        only_fault(header_of("{" + entry("t", "U8", "[0]", "[0,0]") + "," + entry("t", "U8", "[1]", "[0,1]") + "}", 1))
            .kind,
        Kind::duplicate_key);
    const Header same =
        header_of("{" + entry("t", "U8", "[1]", "[0,1]") + "," + entry("t", "U8", "[1]", "[0,1]") + "}", 1);
    EXPECT_EQ(same.faults.back().kind, Kind::duplicate_key);
}

TEST(Header, DuplicateFieldsAndMetadataAreNamed) {
    EXPECT_EQ(
        only_fault(header_of("{\"t\":{\"dtype\":\"U8\",\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1))
            .kind,
        Kind::duplicate_key);
    EXPECT_EQ(only_fault(header_of("{\"__metadata__\":{},\"__metadata__\":{}}", 0)).kind, Kind::duplicate_key);
    EXPECT_EQ(only_fault(header_of("{\"__metadata__\":{\"a\":\"b\",\"a\":\"c\"}}", 0)).kind, Kind::duplicate_key);
}

TEST(Header, ReversedOffsetsAreNamed) {
    const Header header = header_of("{" + entry("t", "U8", "[1]", "[2,1]") + "}", 0);
    ASSERT_FALSE(header.faults.empty());
    EXPECT_EQ(header.faults[0].kind, Kind::reversed_offsets);
}

TEST(Header, AHoleIsNamedWithBothTensors) {
    const HeaderFault fault =
        only_fault(header_of("{" + entry("a", "U8", "[1]", "[0,1]") + "," + entry("b", "U8", "[1]", "[3,4]") + "}", 4));
    EXPECT_EQ(fault.kind, Kind::hole);
    EXPECT_EQ(fault.tensor, "b");
    EXPECT_EQ(fault.other_tensor, "a");
    EXPECT_EQ(fault.found - fault.expected, 2U);
}

TEST(Header, AHoleBeforeTheFirstTensorIsNamed) {
    EXPECT_EQ(only_fault(header_of("{" + entry("a", "U8", "[1]", "[1,2]") + "}", 2)).kind, Kind::hole);
}

TEST(Header, AnOverlapIsNamedWithBothTensors) {
    const HeaderFault fault =
        only_fault(header_of("{" + entry("a", "U8", "[4]", "[0,4]") + "," + entry("b", "U8", "[4]", "[2,6]") + "}", 6));
    EXPECT_EQ(fault.kind, Kind::overlap);
    EXPECT_EQ(fault.tensor, "b");
    EXPECT_EQ(fault.other_tensor, "a");
    EXPECT_THAT(fault.message, HasSubstr("share 2 bytes"));
}

TEST(Header, TwoNamesOnTheSameBytesOverlap) {
    EXPECT_EQ(
        only_fault(header_of("{" + entry("a", "U8", "[4]", "[0,4]") + "," + entry("b", "U8", "[4]", "[0,4]") + "}", 4))
            .kind,
        Kind::overlap);
}

TEST(Header, AShapeThatOverflowsIsNamed) {
    const Header header = header_of("{" + entry("t", "F32", "[4294967296,4294967296]", "[0,0]") + "}", 0);
    EXPECT_EQ(only_fault(header).kind, Kind::shape_overflow);
}

TEST(Header, HalfAByteIsNamed) {
    EXPECT_EQ(only_fault(header_of("{" + entry("t", "F4", "[3]", "[0,2]") + "}", 2)).kind, Kind::misaligned_bits);
}

TEST(Header, ASizeThatDoesNotFitTheShapeIsNamedWithBoth) {
    const HeaderFault fault = only_fault(header_of("{" + entry("t", "BF16", "[3]", "[0,5]") + "}", 5));
    EXPECT_EQ(fault.kind, Kind::size_mismatch);
    EXPECT_EQ(fault.expected, 6U);
    EXPECT_EQ(fault.found, 5U);
}

TEST(Header, TruncatedDataAreNamedWithTheMissingBytes) {
    const HeaderFault fault = only_fault(header_of("{" + entry("t", "U8", "[9]", "[0,9]") + "}", 5));
    EXPECT_EQ(fault.kind, Kind::truncated);
    EXPECT_EQ(fault.expected - fault.found, 4U);
}

TEST(Header, TrailingBytesAreNamed) {
    const HeaderFault fault = only_fault(header_of("{" + entry("t", "U8", "[1]", "[0,1]") + "}", 4));
    EXPECT_EQ(fault.kind, Kind::trailing_bytes);
    EXPECT_EQ(fault.found - fault.expected, 3U);
}

TEST(Header, OffsetsNearTwoToThe64AreSafe) {
    const Header header =
        header_of("{" + entry("t", "U8", "[1]", "[18446744073709551614,18446744073709551615]") + "}", 1);
    EXPECT_GT(header.fault_count, 0U);
    EXPECT_EQ(header.tensors.size(), 1U);
}

TEST(Header, DeepNestingIsReadWithoutRecursion) {
    const std::string deep = "{\"t\":{\"x\":" + std::string(2'000'000, '[') + std::string(2'000'000, ']') + "}}";
    EXPECT_FALSE(header_of(deep, 0).faults.empty());
}

TEST(Header, OfManyFaultsTheFirstHundredAreKeptAndAllCounted) {
    std::string json = "{";
    for (int i = 0; i < 300; ++i) json += (i == 0 ? "" : ",") + entry("t" + std::to_string(i), "NO", "[1]", "[0,1]");
    const Header header = header_of(json + "}", 0);
    EXPECT_EQ(header.fault_count, 300U);
    EXPECT_EQ(header.faults.size(), Header::most_faults);
}

TEST(Header, EveryTruncationOfAGoodFileIsAFault) {
    const std::string file = support::safetensors_file(
        {support::counted_tensor("a", Dtype::F32, {2}), support::counted_tensor("b", Dtype::U8, {3})});
    EXPECT_EQ(header_of(file).fault_count, 0U);
    for (std::size_t size = 0; size < file.size(); ++size)
        EXPECT_GT(header_of(file.substr(0, size)).fault_count, 0U) << size;
}

}  // namespace
}  // namespace assay::checkpoints
