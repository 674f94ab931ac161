// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/joint_check.hpp"

#include "engine/scene/nearest.hpp"

#include <algorithm>
#include <charconv>

namespace scree::scene {

using namespace model;

namespace {

bool is_single(const Source& source) {
    return std::holds_alternative<SphereSource>(source.what) || std::holds_alternative<BodySource>(source.what);
}

void check_body(const Reader& in, const std::string& text, const Scene& scene) {
    if (text == "ground") return;
    const BodyReference body = read_body_reference(text, scene);
    std::vector<std::string> known{"ground"};
    for (const Source& source : scene.sources) {
        if (!source.name.empty()) known.push_back(source.name);
        if (source.name != body.source) continue;
        if (feed_of(source) != nullptr)
            in.fail("= " + in_quotes(text) + ": bodies of a feed come later, and no joint holds them",
                    "name a body that is there at t = 0");
        if (!is_single(source) && !body.index)
            in.fail("= " + in_quotes(text) + " makes many bodies", "name one of them: " + text + "[0]");
        if (is_single(source) && body.index.value_or(0) != 0)
            in.fail("= " + in_quotes(text) + ": " + in_quotes(source.name) + " makes one body",
                    "name it " + in_quotes(source.name));
        return;
    }
    in.fail("= " + in_quotes(text) + " is the name of no body", suggestion(body.source, known, "names"));
}

void check_coupled(const Reader& in, const Scene& scene, const std::string& name, bool slides) {
    std::vector<std::string> known;
    for (const Joint& joint : scene.joints) {
        if (joint.couples()) continue;
        if (!joint.name.empty()) known.push_back(joint.name);
        if (joint.name != name) continue;
        if (slides ? joint.has_slide() : joint.has_turn()) return;
        in.fail("= " + in_quotes(name) + ": this joint has no " + (slides ? "slide" : "turn"),
                slides ? "prismatic, cylindrical, screw and spring joints slide"
                       : "revolute, cylindrical and screw joints turn");
    }
    in.fail("= " + in_quotes(name) + " is the name of no joint with a body", suggestion(name, known, "names"));
}

}  // namespace

BodyReference read_body_reference(const std::string& text, const Scene& scene) {
    for (const Source& source : scene.sources)
        if (source.name == text) return {text, {}};
    return read_body_reference(text);
}

BodyReference read_body_reference(const std::string& text) {
    const auto open = text.rfind('[');
    if (text.empty() || text.back() != ']' || open == std::string::npos || open + 2 > text.size() - 1)
        return {text, {}};
    std::size_t index = 0;
    const char* last = text.data() + text.size() - 1;
    const auto [end, error] = std::from_chars(text.data() + open + 1, last, index);
    if (error != std::errc{} || end != last) return {text, {}};
    return {text.substr(0, open), index};
}

bool gear_slides(const Scene& scene, const std::string& first) {
    for (const Joint& joint : scene.joints)
        if (!joint.couples() && joint.name == first) return joint.has_slide() && !joint.has_turn();
    return false;
}

void check_joints(const Reader& root, const Scene& scene) {
    if (scene.joints.empty()) return;
    const auto section = root.find("joints");
    if (scene.settings.stepper != Stepper::ccp)
        section->fail(": only the stepper ccp knows joints", "use stepper: ccp");
    for (const Source& source : scene.sources)
        if (source.name == "ground")
            section->fail(": a body source is named 'ground', which is what joints call the world", "rename it");
    const auto items = section->objects("joint");
    for (std::size_t k = 0; k < scene.joints.size(); ++k) {
        const Joint& joint = scene.joints[k];
        for (std::size_t other = 0; other < k; ++other)
            if (!joint.name.empty() && scene.joints[other].name == joint.name)
                items[k].fail(": the name is taken by an earlier joint", "names are unique");
        // Joints without a name are columns joints[k] of joints.csv.
        for (std::size_t other = 0; other < scene.joints.size(); ++other)
            if (scene.joints[other].name.empty() && joint.name == "joints[" + std::to_string(other) + "]")
                items[k].fail(": the name is that of joint " + std::to_string(other) + ", which has none of its own",
                              "rename it, or name the other one");
        if (!joint.couples()) {
            const auto bodies = items[k].find("bodies")->items(2);
            for (std::size_t side = 0; side < 2; ++side) check_body(bodies[side], joint.bodies[side], scene);
        }
        const auto coupled = [&](const char* kind, const auto& coupling, bool first_slides, bool second_slides) {
            const auto in = *items[k].find(kind);
            check_coupled(*in.find("first"), scene, coupling.first, first_slides);
            check_coupled(*in.find("second"), scene, coupling.second, second_slides);
        };
        if (const auto* gear = std::get_if<GearJoint>(&joint.kind)) {
            const bool slides = gear_slides(scene, gear->first);
            coupled("gear", *gear, slides, slides);
        }
        if (const auto* rack = std::get_if<RackJoint>(&joint.kind)) coupled("rack", *rack, false, true);
    }
}

}  // namespace scree::scene
