// SPDX-License-Identifier: BSD-3-Clause
// The root of a scene.
#include "engine/scene/tables.hpp"

namespace scree::scene {

using namespace model;

namespace {

/// The pairs of materials grow with the square of this.
constexpr std::size_t most_materials = 256;

void add_materials(Table<Scene>& t) {
    t.add(
        {.name = "materials",
         .meaning = material_table().about.meaning,
         .required = true,
         .type = ValueType::object_map,
         .object = &material_table().about},
        [](const Reader& in, Scene& scene) {
            if (!in.node().is_map())
                in.fail("must be a map from names to materials", "materials: {glass: {density: 2500}}");
            const std::size_t count = in.node().items.size();
            if (count > most_materials)
                in.fail("has " + std::to_string(count) + " entries (allowed: at most " +
                        std::to_string(most_materials) + ")");
            for (std::size_t i = 0; i < count; ++i) {
                const auto& name = in.node().keys[i];
                // A key is a scalar already; reading it as a text checks what it may hold.
                Node key = scalar_node(name.text);
                key.at = name.at;
                Material material;
                material.name = Reader(key, in.context(), {}, "the name of a material").text();
                const Reader item(in.node().items[i], in.context(), "material '" + name.text + "'", {});
                read_object(item, material_table(), material);
                in.context().materials.push_back(material.name);
                scene.materials.push_back(std::move(material));
            }
        },
        [](const Scene& scene, Names names) -> std::optional<Node> {
            Node out = map_node();
            for (const auto& material : scene.materials)
                out.add(material.name, write_object(material_table(), material, names));
            return out;
        });
}

void add_stepper_keys(Table<Scene>& t) {
    const auto settings = [](auto& scene) -> auto& { return scene.settings; };
    t.choice([settings](auto& s) -> auto& { return settings(s).stepper; },
             std::vector<std::pair<std::string, Stepper>>{{"ccp", Stepper::ccp},
                                                          {"lcp", Stepper::lcp},
                                                          {"ncp", Stepper::ncp},
                                                          {"compliant", Stepper::compliant},
                                                          {"midpoint", Stepper::midpoint},
                                                          {"newmark", Stepper::newmark}},
             {.name = "stepper",
              .meaning = "How a step is made. ccp: the production step, bodies in any number. The others are small "
                         "reference steppers on the CPU (at most 200 bodies and 500 contacts) that also take bodies of "
                         "other shapes; docs/steppers.md says which suits what. midpoint and newmark show how not to "
                         "step contact."});
    t.flag([settings](auto& s) -> auto& { return settings(s).planar; },
           {.name = "planar",
            .meaning = "Bodies move in the x-z plane only and turn about y. Reference steppers only."});
    const auto section = [](std::string name, const ObjectInfo& about) {
        return KeyInfo{.name = std::move(name), .meaning = about.meaning, .fallback = "as below"};
    };
    t.object(
        [settings](auto& s) -> auto& { return settings(s).lcp; }, lcp_table(), section("lcp", lcp_table().about));
    t.object(
        [settings](auto& s) -> auto& { return settings(s).ncp; }, ncp_table(), section("ncp", ncp_table().about));
    t.object(
        [settings](auto& s) -> auto& { return settings(s).compliant; }, compliant_table(),
        section("compliant", compliant_table().about));
}

void add_run_keys(Table<Scene>& t) {
    const auto settings = [](auto& scene) -> auto& { return scene.settings; };
    t.choice([settings](auto& s) -> auto& { return settings(s).backend; },
             std::vector<std::pair<std::string, Backend>>{
                 {"auto", Backend::automatic}, {"cpu", Backend::cpu}, {"cuda", Backend::cuda}},
             {.name = "backend", .meaning = "Where the step runs; auto: on a CUDA device if there is one."});
    t.choice([settings](auto& s) -> auto& { return settings(s).precision; },
             std::vector<std::pair<std::string, Precision>>{{"mixed", Precision::mixed},
                                                            {"double", Precision::double_}},
             {.name = "precision",
              .meaning = "mixed: positions and gaps in double, the solver in float. double: all in double, slower."});
    t.count([settings](auto& s) -> auto& { return settings(s).threads; },
            {.name = "threads",
             .meaning = "CPU threads. Results do not depend on it. More than there are cores: slower.",
             .range = {.high = 4096},
             .fallback = "0 (all cores)"});
    t.count([settings](auto& s) -> auto& { return settings(s).device; },
            {.name = "device", .meaning = "Number of the CUDA device.", .range = {.high = 1023}});
}

}  // namespace

const Table<Scene>& scene_table() {
    static const auto table = [] {
        const auto settings = [](auto& scene) -> auto& { return scene.settings; };
        const auto section = [](std::string name, const ObjectInfo& about, std::string fallback) {
            return KeyInfo{.name = std::move(name), .meaning = about.meaning, .fallback = std::move(fallback)};
        };
        Table<Scene> t("scene", "The root of a scene file.");
        t.text(&Scene::name,
               {.name = "name", .meaning = "Name of the scene.", .fallback = "the file's name without extension"});
        t.vector(&Scene::gravity,
                 {.name = "gravity", .meaning = "Acceleration of free fall.", .dimension = Dimension::acceleration});
        t.object(
            [settings](auto& s) -> auto& { return settings(s).time; }, time_table(),
            section("time", time_table().about, "as below"));
        t.object(
            [settings](auto& s) -> auto& { return settings(s).stop; }, stop_table(),
            section("stop", stop_table().about, "none"));
        t.object(
            [settings](auto& s) -> auto& { return settings(s).solver; }, solver_table(),
            section("solver", solver_table().about, "as below"));
        t.object(
            [settings](auto& s) -> auto& { return settings(s).contact; }, contact_table(),
            section("contact", contact_table().about, "as below"));
        t.object(
            [settings](auto& s) -> auto& { return settings(s).sleep; }, sleep_table(),
            section("sleep", sleep_table().about, "none do"));
        t.object(
            [settings](auto& s) -> auto& { return settings(s).output; }, output_table(),
            section("output", output_table().about, "as below"));
        add_stepper_keys(t);
        add_run_keys(t);
        add_materials(t);
        t.list(&Scene::pairs, pair_table(), section("pairs", pair_table().about, "none"));
        t.list(&Scene::sources, source_table(), section("bodies", source_table().about, "none"));
        t.list(&Scene::boundaries, boundary_table(), section("boundaries", boundary_table().about, "none"));
        t.list(&Scene::joints, joint_table(), section("joints", joint_table().about, "none"));
        t.list(&Scene::outlets, outlet_table(), section("outlets", outlet_table().about, "none"));
        t.object(&Scene::periodic, periodic_table(), section("periodic", periodic_table().about, "none"));
        t.list(&Scene::probes, probe_table(), section("probes", probe_table().about, "none"));
        return t;
    }();
    return table;
}

}  // namespace scree::scene
