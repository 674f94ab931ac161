// SPDX-License-Identifier: BSD-3-Clause
// A second, minimal reader of .vtp files with inline base64 arrays, for tests only.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace scree::test {

struct VtpArray {
    std::string type;
    std::size_t components = 0;
    std::vector<double> values;
};

struct VtpFile {
    std::map<std::string, std::size_t> counts;  ///< NumberOfPoints and so on.
    std::map<std::string, VtpArray> arrays;     ///< "PointData/radius".
};

inline std::string decode_base64(const std::string& text) {
    static const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const auto value = alphabet.find(c);
        if (value == std::string::npos) continue;  // '=' or white space
        bits = (bits << 6) | static_cast<std::uint32_t>(value);
        count += 6;
        if (count >= 8) bytes += static_cast<char>((bits >> (count -= 8)) & 255U);
    }
    return bytes;
}

inline std::string attribute(const std::string& tag, const std::string& name) {
    const auto start = tag.find(" " + name + "=\"");
    if (start == std::string::npos) throw std::runtime_error("no " + name + " in " + tag);
    const auto from = start + name.size() + 3;
    return tag.substr(from, tag.find('"', from) - from);
}

template <class T>
std::vector<double> values_of(const std::string& bytes) {
    std::vector<double> values(bytes.size() / sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
        T value;
        std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
        values[i] = static_cast<double>(value);
    }
    return values;
}

inline VtpFile read_vtp(const std::string& text) {
    VtpFile file;
    std::vector<std::string> open;
    for (auto at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
        const std::string tag = text.substr(at + 1, text.find('>', at) - at - 1);
        if (tag[0] == '?' || tag[0] == '!') continue;
        const std::string name = tag.substr(0, tag.find(' '));
        if (tag[0] == '/') {
            if (open.empty() || tag.substr(1) != open.back()) throw std::runtime_error("unbalanced " + tag);
            open.pop_back();
            continue;
        }
        if (name == "Piece") {
            for (const char* kind : {"Points", "Verts", "Lines", "Strips", "Polys"}) {
                file.counts[kind] = std::stoul(attribute(tag, std::string("NumberOf") + kind));
            }
        }
        if (name == "DataArray") {
            const auto from = text.find('>', at) + 1;
            std::string bytes = decode_base64(text.substr(from, text.find('<', from) - from));
            std::uint64_t length = 0;
            std::memcpy(&length, bytes.data(), sizeof length);
            bytes.erase(0, sizeof length);
            if (bytes.size() != length) throw std::runtime_error("wrong length of " + tag);
            VtpArray array{attribute(tag, "type"), std::stoul(attribute(tag, "NumberOfComponents")), {}};
            if (array.type == "Float32") array.values = values_of<float>(bytes);
            if (array.type == "Float64") array.values = values_of<double>(bytes);
            if (array.type == "Int32") array.values = values_of<std::int32_t>(bytes);
            if (array.type == "Int64") array.values = values_of<std::int64_t>(bytes);
            file.arrays[open.back() + "/" + attribute(tag, "Name")] = array;
        }
        open.push_back(name);
    }
    if (!open.empty()) throw std::runtime_error("unclosed " + open.back());
    return file;
}

}  // namespace scree::test
