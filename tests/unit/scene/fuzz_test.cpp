// SPDX-License-Identifier: BSD-3-Clause
// Thousands of damaged scenes, the same ones on every run: each is a valid scene or one model::Error, never anything
// else.
#include "engine/scene/write.hpp"
#include "tests/unit/scene/sample_scenes.hpp"

#include <array>
#include <random>

namespace scree::scene {
namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t n) { return n == 0 ? 0 : random() % n; }

/// Words, numbers, and single punctuation marks.
std::vector<std::string> tokens_of(const std::string& text) {
    const auto is_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    std::vector<std::string> out;
    for (const char c : text) {
        if (!out.empty() && is_word(c) && is_word(out.back().back())) {
            out.back() += c;
        } else {
            out.emplace_back(1, c);
        }
    }
    return out;
}

std::string flip_bytes(std::string text, Random& random) {
    for (std::size_t n = 1 + below(random, 4); n > 0; --n) {
        auto& c = text[below(random, text.size())];
        c = random() % 2 == 0 ? static_cast<char>(random() % 256) : static_cast<char>(c ^ (1 << below(random, 8)));
    }
    return text;
}

std::string change_tokens(const std::string& text, Random& random) {
    static const std::array<std::string, 24> spice{"-1",
                                                   "0",
                                                   "1e999",
                                                   ".nan",
                                                   ".inf",
                                                   "-.inf",
                                                   "~",
                                                   "[",
                                                   "]",
                                                   "{",
                                                   "}",
                                                   ": ",
                                                   "- ",
                                                   "\n",
                                                   "&a ",
                                                   "*a",
                                                   "!!x ",
                                                   "\"",
                                                   "'",
                                                   "#",
                                                   "\t",
                                                   "5 kg",
                                                   "99999999999999999999",
                                                   "null"};
    auto tokens = tokens_of(text);
    for (std::size_t n = 1 + below(random, 3); n > 0 && !tokens.empty(); --n) {
        const auto at = tokens.begin() + static_cast<long>(below(random, tokens.size()));
        const auto& other = tokens[below(random, tokens.size())];
        switch (below(random, 5)) {
            case 0:
                tokens.erase(at);
                break;
            case 1:
                tokens.insert(at, std::string(*at));
                break;
            case 2:
                *at = std::string(other);
                break;
            case 3:
                *at = spice[below(random, spice.size())];
                break;
            default:
                std::swap(*at, tokens[below(random, tokens.size())]);
                break;
        }
    }
    std::string out;
    for (const auto& token : tokens) out += token;
    return out;
}

std::string change_lines(const std::string& text, Random& random) {
    std::vector<std::string> lines(1);
    for (const char c : text) {
        lines.back() += c;
        if (c == '\n') lines.emplace_back();
    }
    const auto at = lines.begin() + static_cast<long>(below(random, lines.size()));
    const std::string other = lines[below(random, lines.size())];
    switch (below(random, 4)) {
        case 0:
            lines.erase(at);
            break;
        case 1:
            lines.insert(at, other);
            break;
        case 2:
            at->insert(0, below(random, 6), ' ');
            break;
        default:
            *at = other;
            break;
    }
    std::string out;
    for (const auto& line : lines) out += line;
    return out;
}

std::string damaged(const std::string& text, Random& random) {
    switch (below(random, 5)) {
        case 0:
            return flip_bytes(text, random);
        case 1:
        case 2:
            return change_tokens(text, random);
        case 3:
            return change_lines(text, random);
        default:
            return text.substr(0, below(random, text.size()));
    }
}

/// True for a valid scene; a model::Error must have a place and one line of text.
bool reads_or_fails_cleanly(const std::string& text, const std::vector<std::string>& overrides) {
    try {
        const auto scene = samples::parse(text, overrides);
        // What reads must also be written and read again.
        (void)samples::parse(to_yaml(scene));
        return true;
    } catch (const model::Error& error) {
        EXPECT_EQ(error.kind(), model::ErrorKind::input) << error.what();
        EXPECT_FALSE(error.file().empty()) << error.what();
        EXPECT_FALSE(error.message().empty());
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        if (error.file() == "scene.yaml") {
            EXPECT_GT(error.line(), 0U) << error.what() << "\n" << text;
        }
    }
    return false;
}

TEST(SceneFuzz, DamagedScenesReadOrGiveOneError) {
    Random random(20240229);
    int valid = 0;
    for (int i = 0; i < 3000; ++i) {
        const std::string text = damaged(i % 3 == 0 ? samples::minimal : samples::complete, random);
        SCOPED_TRACE("input " + std::to_string(i));
        valid += reads_or_fails_cleanly(text, {}) ? 1 : 0;
    }
    // Both outcomes must occur, or the damage is too weak or too strong to test anything.
    EXPECT_GT(valid, 100);
    EXPECT_LT(valid, 2500);
}

TEST(SceneFuzz, DamagedOverridesApplyOrGiveOneError) {
    const std::array<std::string, 8> good{"time.step=0.5ms",
                                          "boundaries.drum.motion.angular_speed=3",
                                          "bodies.ball.sphere.position.x=1",
                                          "pairs.glass-steel.friction=0.3",
                                          "probes.upper_left.box={lower: [0, 0, 0]}",
                                          "bodies.9.random.sizes.sieve.1.1=0.5",
                                          "boundaries.bin.box.orientation.axis=[0, 1, 0]",
                                          "materials.glass.density=1000"};
    Random random(5);
    int valid = 0;
    for (int i = 0; i < 1000; ++i) {
        const std::string text = damaged(good[below(random, good.size())], random);
        SCOPED_TRACE(text);
        valid += reads_or_fails_cleanly(samples::complete, {text}) ? 1 : 0;
    }
    EXPECT_GT(valid, 50);
}

}  // namespace
}  // namespace scree::scene
