// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/body_export.hpp"

#include "engine/io/lammps_data.hpp"
#include "engine/io/number.hpp"
#include "engine/model/error.hpp"
#include "engine/model/math.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>

namespace scree::io {
namespace {

using model::Quat;
using model::Vec3;

void write_csv(AtomicFile& file, const model::Scene&, const model::Snapshot& s) {
    require_spheres(s, "a particle file");
    file.write("id,x,y,z,radius,vx,vy,vz,wx,wy,wz\n");
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        const Vec3 x = s.position[i], v = s.velocity[i], w = s.angular_velocity[i];
        std::string line = std::to_string(s.id[i]);
        for (const double value : {x.x, x.y, x.z, s.radius[i], v.x, v.y, v.z, w.x, w.y, w.z})
            line.append(",").append(to_text(value));
        file.write(line + "\n");
    }
}

void write_records(AtomicFile& file, const model::Scene&, const model::Snapshot& s) {
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        const Vec3 x = s.position[i], v = s.velocity[i];
        const Quat q = s.orientation[i];
        const Vec3 w = rotate(conjugate(q), s.angular_velocity[i]);
        std::string record;
        for (const double value : {x.x, x.y, x.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z})
            for (unsigned shift = 0; shift < 64; shift += 8)
                record.push_back(char(std::bit_cast<std::uint64_t>(value) >> shift & 0xffU));
        file.write(record);
    }
}

constexpr std::array<BodyFormat, 3> formats{
    {{"lammps", ".lammps", write_lammps}, {"csv", ".csv", write_csv}, {"records", ".bin", write_records}}};

}  // namespace

std::span<const BodyFormat> body_formats() { return formats; }

const BodyFormat& body_format(std::string_view name, const std::filesystem::path& path) {
    const std::string extension = path.extension().string();
    const auto* found = std::find_if(formats.begin(), formats.end(), [&](const BodyFormat& format) {
        return name.empty() ? format.extension == extension : format.name == name;
    });
    if (found != formats.end()) return *found;
    std::string words;
    for (const BodyFormat& format : formats)
        words.append(words.empty() ? "" : ", ").append(format.name).append(" (").append(format.extension).append(")");
    throw model::Error(model::ErrorKind::usage,
                       name.empty() ? "the name of " + path.string() + " tells no format"
                                    : "the format '" + std::string(name) + "' is not known",
                       "formats and their extensions: " + words);
}

void write_bodies(const std::filesystem::path& path, const BodyFormat& format, const model::Scene& scene,
                  const model::Snapshot& bodies) {
    if (bodies.id.empty()) throw model::Error(model::ErrorKind::input, "there is no body to write");
    AtomicFile file(path);
    format.write(file, scene, bodies);
    file.commit();
}

}  // namespace scree::io
