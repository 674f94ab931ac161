// SPDX-License-Identifier: BSD-3-Clause
// Keys that hold maps: how a table reads and writes them by the table of the nested struct. Included by table.hpp.
#pragma once

#include "engine/scene/table.hpp"

namespace scree::scene {

template <class T>
template <class Access, class S>
Table<T>& Table<T>::object(Access access, const Table<S>& table, KeyInfo info) {
    info.type = ValueType::object;
    info.object = &table.about;
    return add(
        std::move(info),
        [access, &table](const Reader& in, T& into) { read_object(in, table, std::invoke(access, into)); },
        [access, &table](const T& from, Names names) -> std::optional<Node> {
            return write_object(table, std::invoke(access, from), names);
        });
}

template <class T>
template <class Alternative, class Access>
Table<T>& Table<T>::alternative(Access access, const Table<Alternative>& table, KeyInfo info) {
    info.type = ValueType::object;
    info.object = &table.about;
    return add(
        std::move(info),
        [access, &table](const Reader& in, T& into) {
            Alternative value;
            read_object(in, table, value);
            std::invoke(access, into) = std::move(value);
        },
        [access, &table](const T& from, Names names) -> std::optional<Node> {
            const auto* value = std::get_if<Alternative>(&std::invoke(access, from));
            if (value == nullptr) return std::nullopt;
            return write_object(table, *value, names);
        });
}

template <class T>
template <class Access, class S, class Kind>
Table<T>& Table<T>::kind(Access access, Kind kind, const Table<S>& table, KeyInfo info) {
    info.type = ValueType::object;
    info.object = &table.about;
    return add(
        std::move(info),
        [access, kind, &table](const Reader& in, T& into) {
            std::invoke(access, into).kind = kind;
            read_object(in, table, std::invoke(access, into));
        },
        [access, kind, &table](const T& from, Names names) -> std::optional<Node> {
            if (std::invoke(access, from).kind != kind) return std::nullopt;
            return write_object(table, std::invoke(access, from), names);
        });
}

template <class T>
template <class Access, class S>
Table<T>& Table<T>::list(Access access, const Table<S>& table, KeyInfo info) {
    info.type = ValueType::object_list;
    info.object = &table.about;
    return add(
        std::move(info),
        [access, &table](const Reader& in, T& into) {
            for (const auto& item : in.objects(table.about.noun)) {
                S value;
                read_object(item, table, value);
                std::invoke(access, into).push_back(std::move(value));
            }
        },
        [access, &table](const T& from, Names names) -> std::optional<Node> {
            if (std::invoke(access, from).empty()) return std::nullopt;
            Node out = sequence_node();
            for (const auto& value : std::invoke(access, from)) out.items.push_back(write_object(table, value, names));
            return out;
        });
}

}  // namespace scree::scene
