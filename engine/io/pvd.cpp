// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/pvd.hpp"

#include "engine/io/atomic_file.hpp"
#include "engine/io/number.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace scree::io {
namespace {

constexpr std::array<std::pair<char, std::string_view>, 4> entities{
    {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}}};

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const auto entity = std::find_if(entities.begin(), entities.end(), [c](const auto& e) { return e.first == c; });
        entity == entities.end() ? void(result += c) : void(result += entity->second);
    }
    return result;
}

std::string unescaped(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const auto entity = std::find_if(entities.begin(), entities.end(),
                                         [text](const auto& e) { return text.starts_with(e.second); });
        result += entity == entities.end() ? text.front() : entity->first;
        text.remove_prefix(entity == entities.end() ? 1 : entity->second.size());
    }
    return result;
}

std::optional<std::string> attribute(std::string_view element, std::string_view name) {
    const std::string key = " " + std::string(name) + "=\"";
    const auto start = element.find(key);
    if (start == std::string_view::npos) return std::nullopt;
    const auto end = element.find('"', start + key.size());
    if (end == std::string_view::npos) return std::nullopt;
    return unescaped(element.substr(start + key.size(), end - start - key.size()));
}

}  // namespace

PvdSeries PvdSeries::resume(std::filesystem::path path, double restart_time) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    PvdSeries series(std::move(path));
    constexpr std::string_view element_start = "<DataSet";
    for (auto at = text.find(element_start); at != std::string::npos; at = text.find(element_start, at + 1)) {
        const std::string_view element = std::string_view(text).substr(at, text.find("/>", at) - at);
        const auto time_text = attribute(element, "timestep");
        const auto name = attribute(element, "file");
        const auto time = time_text ? to_number(*time_text) : std::nullopt;
        if (time && name && *time <= restart_time) series.entries_.push_back({*time, *name});
    }
    return series;
}

void PvdSeries::append(double time, const std::string& file) {
    const Entry entry{time, file};
    if (std::find(entries_.begin(), entries_.end(), entry) == entries_.end()) entries_.push_back(entry);
    std::string text =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
        "  <Collection>\n";
    for (const Entry& e : entries_) {
        text += "    <DataSet timestep=\"" + to_text(e.time) + "\" part=\"0\" file=\"" + escaped(e.file) + "\"/>\n";
    }
    write_atomically(path_, text + "  </Collection>\n</VTKFile>\n");
}

}  // namespace scree::io
