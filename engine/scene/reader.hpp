// SPDX-License-Identifier: BSD-3-Clause
// A cursor over one value of a scene: knows what it is called and where it stands, so that every error names both.
#pragma once

#include "engine/model/math.hpp"
#include "engine/scene/document.hpp"
#include "engine/scene/units.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::scene {

struct ObjectInfo;

/// What all readers of one scene share.
struct Context {
    std::string file;                    ///< As messages name it.
    std::filesystem::path directory;     ///< Relative paths in the scene start here.
    std::vector<std::string> overrides;  ///< "a.b=value", as given; Position::override counts them from 1.
    std::vector<std::string> materials;  ///< Names; filled when the section `materials` is read.

    /// Throws model::Error (input) at `at`; for a value from an override the file is "--set" and its text leads.
    [[noreturn]] void fail(Position at, const std::string& what, const std::string& hint = {}) const;
};

class Reader {
public:
    /// `label` names the object ("boundary 'drum'"), `path` the value inside it ("cylinder.radius"); either may be
    /// empty.
    Reader(const Node& node, Context& context, std::string label, std::string path)
        : node_(&node), context_(&context), label_(std::move(label)), path_(std::move(path)) {}

    [[nodiscard]] const Node& node() const { return *node_; }
    [[nodiscard]] Context& context() const { return *context_; }
    /// "boundary 'drum': cylinder.radius"
    [[nodiscard]] std::string name() const;
    /// Throws at this value: "NAME WHAT", or "NAME: WHAT" when `what` begins with a colon.
    [[noreturn]] void fail(const std::string& what, const std::string& hint = {}) const;

    /// The value of a key; nothing when the key is absent.
    [[nodiscard]] std::optional<Reader> find(std::string_view key) const;
    /// The elements of a list (an error when this is none), or exactly `count` of them.
    [[nodiscard]] std::vector<Reader> items() const;
    [[nodiscard]] std::vector<Reader> items(std::size_t count) const;
    /// The elements of a list of objects, labelled "boundary 'drum'"; nameless ones stay "boundaries[2]".
    [[nodiscard]] std::vector<Reader> objects(std::string_view noun) const;
    /// The same value under a label of its own.
    [[nodiscard]] Reader labelled(std::string label) const { return {*node_, *context_, std::move(label), {}}; }

    /// Checks that this is a map with known keys, all required ones, and one of each group.
    void expect_keys(const ObjectInfo& object) const;

    /// `word` is what else may stand here ("auto"), for messages.
    [[nodiscard]] double quantity(Dimension dimension, const Range& range, std::string_view word = {}) const;
    [[nodiscard]] std::uint64_t count(const Range& range) const;
    [[nodiscard]] bool flag() const;
    [[nodiscard]] std::string text() const;
    /// The index of this word in `words`.
    [[nodiscard]] std::size_t choice(std::span<const std::string> words) const;
    [[nodiscard]] bool is_word(std::string_view word) const;
    [[nodiscard]] model::Vec3 vector(Dimension dimension, const Range& range = any_value) const;
    /// A vector of any length but zero, normalised.
    [[nodiscard]] model::Vec3 direction() const;
    /// [w, x, y, z] or {axis, angle}.
    [[nodiscard]] model::Quat orientation() const;
    /// Index of the named material; an error lists the known ones.
    [[nodiscard]] std::size_t material() const;

private:
    /// The text of a scalar; an error for null, lists and maps, saying that `wanted` is wanted.
    [[nodiscard]] const std::string& scalar(std::string_view wanted) const;

    const Node* node_;
    Context* context_;
    std::string label_, path_;
};

/// The unit vector along `v`, without overflow; unchanged when `v` is a unit vector to rounding. Zero stays zero.
[[nodiscard]] model::Vec3 unit_vector(model::Vec3 v);

/// How a list item is addressed and named: its `name`, or the one of a nested object; for a pair "glass-steel".
[[nodiscard]] std::string item_name(const Node& item);

}  // namespace scree::scene
