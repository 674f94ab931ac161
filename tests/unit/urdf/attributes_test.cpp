// SPDX-License-Identifier: BSD-3-Clause
// Attributes: rotations in both forms, and those that nobody reads.
#include "tests/unit/urdf/robot_text.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::test {
namespace {

urdf::Import with_origin(const std::string& attributes) {
    return import_text(link_text("a") + link_text("b") +
                       joint_text("j", "continuous", "a", "b", "<origin " + attributes + "/>"));
}

TEST(UrdfAttributes, OriginsTurnByAnglesOrByAQuaternion) {
    const double half = std::sqrt(0.5);
    for (const std::string& text : {std::string("xyz=\"0 0 1\" rpy=\"1.5707963267948966 0 0\""),
                                    std::string("xyz=\"0 0 1\" quat_xyzw=\"7 0 0 7\"")}) {
        const urdf::Import import = with_origin(text);
        const model::BodySource& body = body_named(import.scene, "b");
        EXPECT_NEAR(body.orientation.x, half, 1e-15) << text;
        EXPECT_NEAR(body.orientation.w, half, 1e-15) << text;
        EXPECT_EQ(body.position.z, 1.0);
        EXPECT_TRUE(import.notes.empty());
    }
}

TEST(UrdfAttributes, ThoseThatNobodyReadsAreNoted) {
    const urdf::Import import = with_origin("xzy=\"0 0 1\" ryp=\"1 0 0\"");
    EXPECT_TRUE(has_note(import, "not understood: the attribute 'xzy' of <origin> (known: xyz, rpy, quat_xyzw)", 4));
    EXPECT_TRUE(has_note(import, "not understood: the attribute 'ryp' of <origin>", 4));
    EXPECT_EQ(import.notes.size(), 2U);
}

TEST(UrdfAttributes, ThoseOfElementsThatAreIgnoredAreNot) {
    const urdf::Import import = import_text(link_text("a", "<visual shade=\"1\"><origin xzy=\"0\"/></visual>"));
    EXPECT_EQ(import.notes.size(), 1U);
}

}  // namespace
}  // namespace scree::test
