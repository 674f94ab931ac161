// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/checkpoint.hpp"

#include "engine/io/checkpoint_seal.hpp"
#include "engine/io/checksum.hpp"
#include "tests/unit/io/child_process.hpp"
#include "tests/unit/io/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <limits>
#include <random>

namespace scree::io {
namespace {

using test::content_of;
using test::TemporaryDirectory;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Values with every awkward bit pattern, of all types, in nested groups.
Checkpoint awkward() {
    std::mt19937_64 random(7);
    std::vector<double> doubles{0.0,
                                -0.0,
                                std::numeric_limits<double>::denorm_min(),
                                -std::numeric_limits<double>::infinity(),
                                std::bit_cast<double>(0x7ff4dead0000beefULL),   // Signalling.
                                std::bit_cast<double>(0xfff8000000000001ULL)};  // Quiet with payload.
    std::vector<float> floats{-0.0F, std::bit_cast<float>(0x7fa12345U), std::bit_cast<float>(0xffc00001U)};
    for (int i = 0; i < 1000; ++i) {
        doubles.push_back(std::bit_cast<double>(random()));
        floats.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
    }
    Checkpoint checkpoint;
    checkpoint.arrays["bodies/position"] = doubles;
    checkpoint.arrays["contacts/impulse"] = floats;
    checkpoint.arrays["contacts/boundary"] = std::vector<std::int32_t>{-1, 0, std::numeric_limits<std::int32_t>::min()};
    checkpoint.arrays["material"] = std::vector<std::uint32_t>{0, 0xffffffffU};
    checkpoint.arrays["id"] = std::vector<std::uint64_t>{1, 0xffffffffffffffffULL};
    checkpoint.arrays["empty"] = std::vector<float>{};
    checkpoint.texts["scene"] = "name: caf\xc3\xa9\n# two\nlines\n";
    checkpoint.texts["bytes"] = std::string("a\0b\0\0", 5);
    checkpoint.texts["empty"] = "";
    return checkpoint;
}

/// Bitwise, unlike ==.
bool same_bits(const Array& a, const Array& b) {
    if (a.index() != b.index()) return false;
    return std::visit(
        [&b](const auto& x) {
            const auto& y = std::get<std::decay_t<decltype(x)>>(b);
            const auto bytes_x = std::as_bytes(std::span(x)), bytes_y = std::as_bytes(std::span(y));
            return std::equal(bytes_x.begin(), bytes_x.end(), bytes_y.begin(), bytes_y.end());
        },
        a);
}

bool same_bits(const Checkpoint& a, const Checkpoint& b) {
    return a.texts == b.texts &&
           std::equal(a.arrays.begin(), a.arrays.end(), b.arrays.begin(), b.arrays.end(),
                      [](const auto& x, const auto& y) { return x.first == y.first && same_bits(x.second, y.second); });
}

std::string error_of(const std::filesystem::path& path) {
    try {
        static_cast<void>(read_checkpoint(path));
    } catch (const model::Error& error) {
        EXPECT_EQ(error.kind(), model::ErrorKind::input);
        EXPECT_THAT(error.what(), HasSubstr(path.string()));
        return error.message();
    }
    return "no error";
}

TEST(Checkpoint, ComesBackBitForBit) {
    const TemporaryDirectory directory;
    const Checkpoint written = awkward();
    write_checkpoint(directory / "a.h5", written);
    const Checkpoint read = read_checkpoint(directory / "a.h5");
    EXPECT_TRUE(same_bits(written, read));
    EXPECT_THAT(directory.names(), ElementsAre("a.h5"));
}

TEST(Checkpoint, ComesBackEmpty) {
    const TemporaryDirectory directory;
    write_checkpoint(directory / "a.h5", {});
    EXPECT_THAT(read_checkpoint(directory / "a.h5").arrays, IsEmpty());
}

TEST(Checkpoint, OfTheSameContentHasTheSameBytes) {
    const TemporaryDirectory directory;
    write_checkpoint(directory / "a.h5", awkward());
    write_checkpoint(directory / "b.h5", awkward());
    EXPECT_EQ(content_of(directory / "a.h5"), content_of(directory / "b.h5"));
}

TEST(Checkpoint, HoldsManyValues) {
    const TemporaryDirectory directory;
    Checkpoint written;
    std::vector<double> values(3000001);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) / 3.0;
    written.arrays["x"] = values;
    write_checkpoint(directory / "a.h5", written);
    EXPECT_TRUE(same_bits(written, read_checkpoint(directory / "a.h5")));
    EXPECT_LT(std::filesystem::file_size(directory / "a.h5"), 8 * values.size() + 10000);
}

TEST(Checkpoint, RefusesNamesThatAreNoPaths) {
    const TemporaryDirectory directory;
    for (const std::string name : {"", "/a", "a/", "a//b", ".", "a/../b"}) {
        Checkpoint checkpoint;
        checkpoint.arrays[name] = std::vector<double>{1.0};
        EXPECT_THROW(write_checkpoint(directory / "a.h5", checkpoint), model::Error) << name;
    }
    EXPECT_THAT(directory.names(), IsEmpty());
}

TEST(Checkpoint, SaysWhyAFileIsUnusable) {
    const TemporaryDirectory directory;
    write_checkpoint(directory / "a.h5", awkward());
    const std::string good = content_of(directory / "a.h5");
    const auto broken = directory / "broken.h5";
    EXPECT_THAT(error_of(directory / "missing.h5"), HasSubstr("does not exist"));
    EXPECT_THAT(error_of(directory.path()), HasSubstr("not a regular file"));
    test::put(broken, "");
    EXPECT_THAT(error_of(broken), HasSubstr("is not a checkpoint"));
    test::put(broken, "time,v\n0,1\n");
    EXPECT_THAT(error_of(broken), HasSubstr("is not a checkpoint"));
    test::put(broken, good.substr(seal_size));
    EXPECT_THAT(error_of(broken), HasSubstr("an HDF5 file but not a checkpoint"));
    test::put(broken, good.substr(0, good.size() - 1));
    EXPECT_THAT(error_of(broken), HasSubstr("is truncated"));
    test::put(broken, good + "x");
    EXPECT_THAT(error_of(broken), HasSubstr("is corrupt"));
    std::string other = good;
    other.replace(other.find("version 1"), 9, "version 7");
    test::put(broken, other);
    EXPECT_THAT(error_of(broken), HasSubstr("format version 7; this build reads version 1"));
    other = good;
    other[good.size() / 2] ^= 1;
    test::put(broken, other);
    EXPECT_THAT(error_of(broken), HasSubstr("its checksum does not match"));
}

TEST(Checkpoint, NoticesEveryFlippedByte) {
    const TemporaryDirectory directory;
    Checkpoint checkpoint = awkward();
    std::get<std::vector<double>>(checkpoint.arrays["bodies/position"]).resize(20);
    std::get<std::vector<float>>(checkpoint.arrays["contacts/impulse"]).resize(20);
    write_checkpoint(directory / "a.h5", checkpoint);
    const std::string good = content_of(directory / "a.h5");
    std::fstream file(directory / "a.h5", std::ios::in | std::ios::out | std::ios::binary);
    const auto overwrite = [&file](std::size_t at, char byte) {
        file.seekp(static_cast<std::streamoff>(at));
        file.put(byte).flush();
    };
    for (std::size_t at = 0; at < good.size(); at += at < seal_size ? 1 : 13) {
        for (const char flip : {'\x01', '\x80', '\xff'}) {
            overwrite(at, static_cast<char>(good[at] ^ flip));
            EXPECT_NE(error_of(directory / "a.h5"), "no error") << "byte " << at;
        }
        overwrite(at, good[at]);
    }
    EXPECT_EQ(error_of(directory / "a.h5"), "no error");
}

TEST(Checkpoint, NoticesEveryTruncation) {
    const TemporaryDirectory directory;
    write_checkpoint(directory / "a.h5", awkward());
    const std::string good = content_of(directory / "a.h5");
    for (std::size_t size = 0; size < good.size(); size += 101) {
        test::put(directory / "bad.h5", good.substr(0, size));
        EXPECT_NE(error_of(directory / "bad.h5"), "no error") << size;
    }
}

TEST(Checkpoint, IsOldOrNewOnADiskThatIsFullAtAnySize) {
    const TemporaryDirectory directory;
    Checkpoint small, large = awkward();
    small.texts["which"] = "old";
    write_checkpoint(directory / "new.h5", large);
    const auto needed = std::filesystem::file_size(directory / "new.h5");
    std::filesystem::remove(directory / "new.h5");
    write_checkpoint(directory / "a.h5", small);
    bool failed = false;
    for (std::uint64_t limit = 1; limit < needed; limit += 997) {
        const auto outcome = test::with_file_size_limit(limit, [&] { write_checkpoint(directory / "a.h5", large); });
        ASSERT_EQ(outcome, test::Outcome::environment_error) << limit;
        failed = true;
    }
    EXPECT_TRUE(failed);
    EXPECT_TRUE(same_bits(read_checkpoint(directory / "a.h5"), small));
    EXPECT_THAT(directory.names(), ElementsAre("a.h5"));
}

TEST(Checksum, DoesNotDependOnHowTheStreamIsCut) {
    std::string text(1000, '\0');
    std::mt19937 random(3);
    for (char& c : text) c = static_cast<char>(random());
    const auto bytes = std::as_bytes(std::span(text));
    Checksum whole;
    whole.add(bytes);
    for (int trial = 0; trial < 100; ++trial) {
        Checksum parts;
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t size = std::min<std::size_t>(random() % 20, bytes.size() - at);
            parts.add(bytes.subspan(at, size));
            at += size;
        }
        EXPECT_EQ(parts.value(), whole.value());
    }
}

TEST(Checksum, SeesZerosAtTheEndAndSwappedSigns) {
    const auto of = [](std::vector<double> values) {
        Checksum sum;
        sum.add(std::as_bytes(std::span(values)));
        return sum.value();
    };
    EXPECT_NE(of({1.0}), of({1.0, 0.0}));
    EXPECT_NE(of({}), of({0.0}));
    EXPECT_NE(of({1.0, 2.0}), of({-1.0, -2.0}));
    EXPECT_NE(of({1.0, 2.0}), of({2.0, 1.0}));
}

}  // namespace
}  // namespace scree::io
