// SPDX-License-Identifier: BSD-3-Clause
// A table binds the keys of one map to a struct of the model. It is the only description of those keys: the parser, the
// writer, the JSON Schema, the overrides and the reference in docs/scene.md all read it.
//
// A new key is one line in a table: name, member, dimension, range, meaning. Its default is the member's own.
#pragma once

#include "engine/scene/key.hpp"
#include "engine/scene/print.hpp"
#include "engine/scene/reader.hpp"

#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace scree::scene {

/// Material names by index, for writing.
using Names = std::span<const std::string>;

/// The name of a material; throws std::out_of_range when a scene made in code refers to one that it lacks.
[[nodiscard]] inline const std::string& name_of(Names names, std::size_t material) {
    if (material >= names.size()) throw std::out_of_range("material index " + std::to_string(material));
    return names[material];
}

/// A word that may stand for a special value: {"auto", -1}. A negative value stands for all negative ones.
struct Word {
    std::string text;
    double value = 0.0;
    [[nodiscard]] bool means(double v) const { return v == value || (value < 0.0 && v < 0.0); }
};

[[nodiscard]] inline Node number_node(double value) { return scalar_node(number_text(value)); }
[[nodiscard]] inline Node text_node(const std::string& text) {
    const bool plain = print_inline(scalar_node(text)).front() != '"';
    return scalar_node(text, !plain);
}
[[nodiscard]] inline Node vector_node(model::Vec3 v) {
    return sequence_node({number_node(v.x), number_node(v.y), number_node(v.z)});
}

template <class T>
struct Table {
    struct Binding {
        std::function<void(const Reader&, T&)> read;
        std::function<std::optional<Node>(const T&, Names)> write;  ///< Nothing: the key is left out.
    };

    ObjectInfo about;
    std::vector<Binding> bindings;                 ///< As about.keys.
    std::function<void(const Reader&, T&)> check;  ///< What concerns several keys; runs after all are read.

    Table(std::string noun, std::string meaning) : about{std::move(noun), std::move(meaning), {}} {}

    /// The general form; the others below are made of it.
    Table& add(KeyInfo info, std::function<void(const Reader&, T&)> read,
               std::function<std::optional<Node>(const T&, Names)> write) {
        const auto is_simple = info.object == nullptr && !info.required && info.group.empty();
        const auto standard = is_simple ? write(T{}, Names{}) : std::nullopt;
        if (standard) info.standard = print_inline(*standard);
        if (standard && info.omit_default) {
            write = [text = info.standard, full = std::move(write)](const T& from, Names names) {
                auto node = full(from, names);
                return node && print_inline(*node) == text ? std::nullopt : node;
            };
        }
        about.keys.push_back(std::move(info));
        bindings.push_back({std::move(read), std::move(write)});
        return *this;
    }

    template <class Access>
    Table& quantity(Access access, KeyInfo info, std::optional<Word> word = {}) {
        info.type = ValueType::quantity;
        if (word) info.words = {word->text};
        return add(
            info,
            [access, word, dimension = info.dimension, range = info.range](const Reader& in, T& into) {
                const std::string text = word ? word->text : std::string{};
                std::invoke(access, into) =
                    word && in.is_word(text) ? word->value : in.quantity(dimension, range, text);
            },
            [access, word](const T& from, Names) -> std::optional<Node> {
                const double value = std::invoke(access, from);
                return word && word->means(value) ? scalar_node(word->text) : number_node(value);
            });
    }

    template <class Access>
    Table& count(Access access, KeyInfo info) {
        info.type = ValueType::count;
        if (info.range.low < 0.0) info.range.low = 0.0;
        return add(
            info,
            [access, range = info.range](const Reader& in, T& into) {
                auto& value = std::invoke(access, into);
                value = static_cast<std::remove_reference_t<decltype(value)>>(in.count(range));
            },
            [access](const T& from, Names) -> std::optional<Node> {
                return scalar_node(std::to_string(std::invoke(access, from)));
            });
    }

    template <class Access>
    Table& flag(Access access, KeyInfo info) {
        info.type = ValueType::flag;
        return add(
            std::move(info), [access](const Reader& in, T& into) { std::invoke(access, into) = in.flag(); },
            [access](const T& from, Names) -> std::optional<Node> {
                return scalar_node(std::invoke(access, from) ? "true" : "false");
            });
    }

    /// An empty text is left out.
    template <class Access>
    Table& text(Access access, KeyInfo info) {
        info.type = ValueType::text;
        return add(
            std::move(info), [access](const Reader& in, T& into) { std::invoke(access, into) = in.text(); },
            [access](const T& from, Names) -> std::optional<Node> {
                const std::string& value = std::invoke(access, from);
                return value.empty() ? std::nullopt : std::optional(text_node(value));
            });
    }

    template <class Access, class Enum>
    Table& choice(Access access, std::vector<std::pair<std::string, Enum>> values, KeyInfo info) {
        info.type = ValueType::choice;
        for (const auto& value : values) info.words.push_back(value.first);
        return add(
            info,
            [access, values, words = info.words](const Reader& in, T& into) {
                std::invoke(access, into) = values[in.choice(words)].second;
            },
            [access, values](const T& from, Names) -> std::optional<Node> {
                for (const auto& [word, value] : values) {
                    if (value == std::invoke(access, from)) return scalar_node(word);
                }
                return std::nullopt;
            });
    }

    template <class Access>
    Table& vector(Access access, KeyInfo info) {
        info.type = ValueType::quantities;
        info.length = 3;
        return add(
            info,
            [access, dimension = info.dimension, range = info.range](const Reader& in, T& into) {
                std::invoke(access, into) = in.vector(dimension, range);
            },
            [access](const T& from, Names) -> std::optional<Node> { return vector_node(std::invoke(access, from)); });
    }

    /// [lower, upper] with lower < upper, or lower == upper where a single value makes sense.
    template <class Lower, class Upper>
    Table& interval(Lower lower, Upper upper, KeyInfo info, bool may_be_point = false, std::string hint = {}) {
        info.type = ValueType::quantities;
        info.length = 2;
        return add(
            info,
            [lower, upper, may_be_point, hint = std::move(hint), dimension = info.dimension, range = info.range](
                const Reader& in, T& into) {
                const auto parts = in.items(2);
                const double low = parts[0].quantity(dimension, range), high = parts[1].quantity(dimension, range);
                if (may_be_point ? low > high : low >= high)
                    in.fail("= " + print_inline(in.node()) + " must be [lower, upper] with lower < upper", hint);
                std::invoke(lower, into) = low;
                std::invoke(upper, into) = high;
            },
            [lower, upper](const T& from, Names) -> std::optional<Node> {
                return sequence_node({number_node(std::invoke(lower, from)), number_node(std::invoke(upper, from))});
            });
    }

    /// Normalised on reading.
    template <class Access>
    Table& direction(Access access, KeyInfo info) {
        info.type = ValueType::directions;
        info.length = 3;
        return add(
            std::move(info), [access](const Reader& in, T& into) { std::invoke(access, into) = in.direction(); },
            [access](const T& from, Names) -> std::optional<Node> { return vector_node(std::invoke(access, from)); });
    }

    template <class Access>
    Table& material(Access access, KeyInfo info) {
        info.type = ValueType::text;
        info.required = true;
        return add(
            std::move(info), [access](const Reader& in, T& into) { std::invoke(access, into) = in.material(); },
            [access](const T& from, Names names) -> std::optional<Node> {
                return text_node(name_of(names, std::invoke(access, from)));
            });
    }

    /// A nested map, bound to a member (or to the struct itself) by a table of its own.
    template <class Access, class S>
    Table& object(Access access, const Table<S>& table, KeyInfo info);

    /// A nested map that stands for one value of a variant member.
    template <class Alternative, class Access>
    Table& alternative(Access access, const Table<Alternative>& table, KeyInfo info);

    /// A nested map that stands for one value of the member `kind` of the bound struct.
    template <class Access, class S, class Kind>
    Table& kind(Access access, Kind kind, const Table<S>& table, KeyInfo info);

    /// A list of maps.
    template <class Access, class S>
    Table& list(Access access, const Table<S>& table, KeyInfo info);
};

template <class T>
void read_object(const Reader& in, const Table<T>& table, T& into) {
    in.expect_keys(table.about);
    for (std::size_t i = 0; i < table.bindings.size(); ++i) {
        if (const auto child = in.find(table.about.keys[i].name)) table.bindings[i].read(*child, into);
    }
    if (table.check) table.check(in, into);
}

template <class T>
[[nodiscard]] Node write_object(const Table<T>& table, const T& from, Names names) {
    Node out = map_node();
    for (std::size_t i = 0; i < table.bindings.size(); ++i) {
        if (auto value = table.bindings[i].write(from, names)) out.add(table.about.keys[i].name, std::move(*value));
    }
    return out;
}

}  // namespace scree::scene

#include "engine/scene/table_nested.hpp"  // IWYU pragma: export
