#include "runners/drivers/server_identity.hpp"

#include <gtest/gtest.h>

namespace assay::runners {
namespace {

ServerIdentity listing(const char* id, std::optional<std::int64_t> length) {
    return identity_of({{{id, "sglang", length}}, "", 200, false}, "m");
}

TEST(ServerIdentity, AnotherModelLengthOrVersionIsAChange) {
    EXPECT_EQ(identity_change(listing("m", 4096), listing("m", 4096)), "");
    EXPECT_EQ(identity_change(listing("m", 4096), listing("n", 4096)), "it no longer lists the model, but n");
    EXPECT_EQ(identity_change(listing("m", 4096), listing("m", 8192)), "its max_model_len was 4096 and is 8192");
    ServerIdentity before = listing("m", 4096);
    ServerIdentity now = before;
    before.version = "0.5.1";
    now.version = "0.5.2";
    EXPECT_EQ(identity_change(before, now), "its version was 0.5.1 and is 0.5.2");
}

TEST(ServerIdentity, WhatOneSideDoesNotSayIsNoChange) {
    EXPECT_EQ(identity_change(listing("m", 4096), listing("m", std::nullopt)), "");
    EXPECT_EQ(identity_change(listing("n", 4096), listing("o", 4096)), "");  // never listed the run's model
    const ServerIdentity hidden = identity_of({{}, "the server answered 404", 404, false}, "m");
    EXPECT_EQ(identity_change(listing("m", 4096), hidden), "");
    EXPECT_EQ(identity_change(hidden, listing("n", 4096)), "");
}

}  // namespace
}  // namespace assay::runners
