// SPDX-License-Identifier: BSD-3-Clause
// Scenes of one source, and what making their bodies says.
#pragma once

#include "engine/geometry/bodies.hpp"
#include "engine/model/error.hpp"
#include "tests/unit/geometry/scratch_file.hpp"

#include <gtest/gtest.h>

#include <string>

namespace scree::test {

template <class What>
void add_source(model::Scene& scene, const std::string& name, const What& what) {
    model::Source source;
    source.name = name;
    source.line = 10 + scene.sources.size();
    source.what = what;
    scene.sources.push_back(source);
}

template <class What>
model::Scene scene_with(const What& what) {
    model::Scene scene;
    scene.path = "scenes/test.yaml";
    scene.materials = {{"glass", 2500.0}, {"steel", 7200.0}};
    add_source(scene, "first", what);
    return scene;
}

inline model::LatticeSource lattice(model::LatticeSource::Kind kind, model::Vec3 upper, double radius,
                                    double spacing = 0.0) {
    model::LatticeSource source;
    source.kind = kind;
    source.upper = upper;
    source.radius = radius;
    source.spacing = spacing;
    return source;
}

inline std::string all_notes(const geometry::SourceReport& report) {
    std::string text;
    for (const std::string& note : report.notes) text += note + "\n";
    return text;
}

inline model::Error bodies_error(const model::Scene& scene) {
    model::Error error = error_of([&] { static_cast<void>(geometry::make_bodies(scene)); });
    EXPECT_EQ(error.kind(), model::ErrorKind::input);
    return error;
}

/// The scene's only source fails with this text, at the scene's file and the source's line.
inline void expect_error(const model::Scene& scene, const std::string& text) {
    const model::Error error = bodies_error(scene);
    EXPECT_NE(error.message().find(text), std::string::npos) << error.what();
    EXPECT_NE(error.message().find("source 'first'"), std::string::npos);
    EXPECT_EQ(error.file(), "scenes/test.yaml");
    EXPECT_EQ(error.line(), 10U);
}

}  // namespace scree::test
