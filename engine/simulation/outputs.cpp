// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/outputs.hpp"

#include "engine/io/checkpoint_folder.hpp"
#include "engine/io/vtp.hpp"
#include "engine/model/error.hpp"
#include "engine/simulation/body_pictures.hpp"
#include "engine/simulation/output_folder.hpp"
#include "engine/simulation/wall_pictures.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace scree::simulation {
namespace {

namespace fs = std::filesystem;

constexpr const char* probes_name = "run/probes";
constexpr const char* means_name = "run/load_means";

std::vector<std::string> columns_of(const measure::ProbeEvaluator& probes) {
    std::vector<std::string> columns{"time",
                                     "step",
                                     "bodies",
                                     "removed",
                                     "contacts",
                                     "iterations",
                                     "residual_rms",
                                     "converged",
                                     "kinetic_translation",
                                     "kinetic_rotation",
                                     "speed_max",
                                     "penetration",
                                     "penetration_relative",
                                     "unbalanced_force",
                                     "contact_work"};
    for (std::string& name : probes.columns()) columns.push_back(std::move(name));
    // Later ones stand at the end, so that the places of the others stay.
    columns.insert(columns.end(), {"residual_max", "complementarity_gap", "worst_body", "worst_partner", "work_normal",
                                   "work_impact", "work_friction", "work_rolling", "work_spinning", "work_cohesion",
                                   "work_driven", "work_other", "work_turning", "work_position", "energy_defect"});
    return columns;
}

/// Values of the columns behind those of the probes.
std::vector<double> confidence_row(const RunStatistics& statistics) {
    const RunStatistics::Last& last = statistics.last();
    const EnergyBalance& energy = statistics.energy();
    const kernels::ContactWork& work = energy.work();
    return {last.residual_max, last.complementarity_gap,
            // Ids begin at 1; a partner below 0 is boundary -1 - partner.
            double(last.worst.body < 0 ? 0 : last.worst.body), double(last.worst.body < 0 ? 0 : last.worst.partner),
            work.normal, work.impact, work.friction, work.rolling, work.spinning, work.cohesion, work.driven,
            work.other, energy.turning_work(), energy.position_work(), energy.relative_defect().value_or(0.0)};
}

std::vector<std::string> joint_columns(const model::Scene& scene) {
    std::vector<std::string> columns{"time"};
    for (std::size_t k = 0; k < scene.joints.size(); ++k)
        for (const char* what : {"turn", "slide", "force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z",
                                 "turn_motor", "slide_motor"})
            columns.push_back(joint_name(scene, k) + "." + what);
    return columns;
}

std::vector<double> joint_row(double time, const std::vector<model::JointState>& joints) {
    std::vector<double> row{time};
    for (const model::JointState& j : joints)
        row.insert(row.end(), {j.turn, j.slide, j.force.x, j.force.y, j.force.z, j.torque.x, j.torque.y, j.torque.z,
                               j.turn_motor, j.slide_motor});
    return row;
}

}  // namespace

/// What the writer thread owns.
struct Outputs::Files {
    Files(Simulation& simulation, const fs::path& folder)
        : directory(folder),
          output(simulation.scene().settings.output),
          record(simulation.scene()),
          probes(simulation.scene()),
          surfaces(simulation.scene()),
          walls(simulation.scene(), simulation.extent_at_start()),
          particles_pvd(folder / "particles.pvd"),
          surfaces_pvd(folder / "surfaces.pvd"),
          walls_pvd(folder / "walls.pvd"),
          contacts_pvd(folder / "contacts.pvd") {}

    void write_frame(const model::Snapshot& s) {
        const auto put = [&](const char* stem, io::PvdSeries& pvd, const auto& write) {
            const std::string name = io::frame_name(stem, s.step);
            write(directory / name);
            pvd.append(s.time, name);
        };
        if (output.particles)
            put("particles", particles_pvd, [&](const fs::path& path) { io::write_particles(path, s); });
        if (output.surfaces && !surfaces.empty())
            put("surfaces", surfaces_pvd, [&](const fs::path& path) { surfaces.write(path, s); });
        if (output.walls && !walls.empty())
            put("walls", walls_pvd, [&](const fs::path& path) { walls.write(path, s); });
        if (output.contacts) put("contacts", contacts_pvd, [&](const fs::path& path) { io::write_contacts(path, s); });
    }

    void write_tables(double time) {
        const auto rows = probes.table_rows();
        for (std::size_t k = 0; k < tables.size(); ++k) {
            const std::size_t width = tables[k].columns().size() - 1;
            std::vector<double> timed;
            timed.reserve(rows[k].size() / width * (width + 1));
            for (std::size_t first = 0; first < rows[k].size(); first += width) {
                timed.push_back(time);
                const auto row = rows[k].subspan(first, width);
                timed.insert(timed.end(), row.begin(), row.end());
            }
            tables[k].append(timed);
        }
    }

    fs::path directory;
    model::OutputSettings output;
    RunRecord record;
    measure::ProbeEvaluator probes;
    BodyPictures surfaces;
    WallPictures walls;
    io::PvdSeries particles_pvd, surfaces_pvd, walls_pvd, contacts_pvd;
    std::optional<io::CsvSeries> series, joints;
    std::vector<io::CsvSeries> tables;  ///< As ProbeEvaluator::tables().
};

Outputs::Outputs(Simulation& simulation, fs::path directory, const RestartPoint* restart)
    : simulation_(simulation),
      directory_(std::move(directory)),
      series_(simulation.scene().settings.output.series_interval, simulation.scene().settings.time.step,
              OutputClock::Zero::every_step),
      frames_(simulation.scene().settings.output.interval, simulation.scene().settings.time.step,
              OutputClock::Zero::never),
      checkpoints_(simulation.scene().settings.output.checkpoint_interval, simulation.scene().settings.time.step,
                   OutputClock::Zero::never),
      has_probes_(!simulation.scene().probes.empty()),
      has_joints_(!simulation.scene().joints.empty()),
      files_(std::make_unique<Files>(simulation, directory_)) {
    using enum Simulation::Contacts;
    const model::OutputSettings& output = simulation.scene().settings.output;
    if (files_->probes.needs_contacts()) of_probes_ = all;
    if (output.walls && !files_->walls.empty()) of_frames_ = of_boundaries;
    if (output.contacts) of_frames_ = all;
    const auto& probes = simulation.scene().probes;
    if (std::any_of(probes.begin(), probes.end(), [](const model::Probe& probe) { return probe.average; }))
        means_.emplace(simulation.scene().boundaries.size());
    auto columns = columns_of(files_->probes);
    const auto for_each_table = [&](const auto& open) {
        for (measure::ProbeEvaluator::Table& table : files_->probes.tables()) {
            table.columns.insert(table.columns.begin(), "time");
            files_->tables.push_back(open(directory_ / table.file, std::move(table.columns)));
        }
    };
    if (restart == nullptr) {
        for_each_table([](auto path, auto names) { return io::CsvSeries(std::move(path), std::move(names)); });
        files_->series.emplace(directory_ / "series.csv", std::move(columns));
        if (has_joints_) files_->joints.emplace(directory_ / "joints.csv", joint_columns(simulation.scene()));
        return;
    }
    const double h = simulation.scene().settings.time.step;
    const std::int64_t last_frame = frames_.last_due(restart->step), last_row = series_.last_due(restart->step);
    const double frame_time = double(last_frame) * h, row_time = double(last_row) * h;
    remove_later(directory_, last_frame, restart->step);
    files_->particles_pvd = io::PvdSeries::resume(directory_ / "particles.pvd", frame_time);
    files_->surfaces_pvd = io::PvdSeries::resume(directory_ / "surfaces.pvd", frame_time);
    files_->walls_pvd = io::PvdSeries::resume(directory_ / "walls.pvd", frame_time);
    files_->contacts_pvd = io::PvdSeries::resume(directory_ / "contacts.pvd", frame_time);
    files_->series.emplace(io::CsvSeries::resume(directory_ / "series.csv", std::move(columns), row_time));
    if (has_joints_)
        files_->joints.emplace(
            io::CsvSeries::resume(directory_ / "joints.csv", joint_columns(simulation.scene()), row_time));
    for_each_table(
        [&](auto path, auto names) { return io::CsvSeries::resume(std::move(path), std::move(names), row_time); });
    const auto state = restart->checkpoint.arrays.find(probes_name);
    const auto* values =
        state == restart->checkpoint.arrays.end() ? nullptr : std::get_if<std::vector<double>>(&state->second);
    if (values == nullptr)
        throw model::Error(model::ErrorKind::input, "holds no state of the probes",
                           "it is not the checkpoint of a run, or of another version", restart->file.string());
    files_->probes.restore(*values);
    const auto sums = restart->checkpoint.arrays.find(means_name);
    if (means_ && sums != restart->checkpoint.arrays.end())
        if (const auto* held = std::get_if<std::vector<double>>(&sums->second)) means_->restore(*held);
}

Outputs::~Outputs() = default;

Outputs::Picture Outputs::picture_of(model::Snapshot snapshot) const {
    if (means_) means_->fill(snapshot.boundaries);
    return std::make_shared<const model::Snapshot>(std::move(snapshot));
}

std::vector<double> Outputs::row_of(const RunStatistics& statistics) {
    const RunStatistics::Last& last = statistics.last();
    const auto number = [](std::uint64_t count) { return double(count); };
    return {simulation_.time(),
            number(std::uint64_t(simulation_.step_index())),
            number(last.bodies),
            number(simulation_.balance().removed),
            number(last.contacts),
            number(last.iterations),
            last.residual,
            number(last.converged),
            last.kinetic_translation,
            last.kinetic_rotation,
            last.speed_max,
            last.overlap,
            last.overlap_relative,
            simulation_.step_index() > 0 ? simulation_.unbalanced_force() : 0.0,
            statistics.energy().contact_work()};
}

void Outputs::submit_row(const RunStatistics& statistics, Picture snapshot) {
    std::vector<double> joints;
    const double time = simulation_.time();
    if (has_joints_) joints = joint_row(simulation_.time(), simulation_.joints());
    writer_.submit([files = files_.get(), row = row_of(statistics), confidence = confidence_row(statistics),
                    joints = std::move(joints), time, snapshot = std::move(snapshot)]() mutable {
        if (snapshot != nullptr) {
            for (const double value : files->probes.evaluate(*snapshot)) row.push_back(value);
            files->write_tables(time);
        }
        row.insert(row.end(), confidence.begin(), confidence.end());
        files->series->append(row);
        if (files->joints) files->joints->append(joints);
    });
}

void Outputs::submit_frame(Picture snapshot) {
    writer_.submit([files = files_.get(), snapshot = std::move(snapshot)] { files->write_frame(*snapshot); });
}

void Outputs::submit_checkpoint(const RunStatistics& statistics) {
    const auto step = simulation_.step_index();
    auto checkpoint = std::make_shared<io::Checkpoint>(simulation_.save());
    statistics.save(*checkpoint);
    if (means_) checkpoint->arrays[means_name] = means_->state();
    checkpoint_step_ = step;
    writer_.submit([files = files_.get(), step, checkpoint = std::move(checkpoint)] {
        files->record.add_to(*checkpoint);
        checkpoint->arrays[probes_name] = files->probes.state();
        io::write_checkpoint(io::checkpoint_path(files->directory, std::size_t(step)), *checkpoint);
        io::prune(files->directory, files->output.checkpoints_kept);
    });
}

void Outputs::begin(const model::Snapshot& snapshot, const RunStatistics& statistics) {
    const Picture picture = picture_of(snapshot);
    submit_row(statistics, has_probes_ ? picture : nullptr);
    if (frames_.due(0)) submit_frame(picture);
}

void Outputs::after_step(const RunStatistics& statistics) {
    const std::int64_t step = simulation_.step_index();
    const bool row = series_.due(step), frame = frames_.due(step);
    if (means_) means_->add(simulation_.boundary_loads());
    Picture picture;
    if (frame || (row && has_probes_)) picture = picture_of(simulation_.snapshot(needed_contacts(row, frame)));
    if (row && means_) means_->begin_anew();
    if (row) submit_row(statistics, has_probes_ ? picture : nullptr);
    if (frame) submit_frame(picture);
    if (checkpoints_.due(step)) submit_checkpoint(statistics);
}

void Outputs::finish(const model::Snapshot& snapshot, const RunStatistics& statistics) {
    const std::int64_t step = simulation_.step_index();
    if (checkpoint_step_ != step) submit_checkpoint(statistics);
    const Picture picture = picture_of(snapshot);
    if (!series_.due(step)) submit_row(statistics, has_probes_ ? picture : nullptr);
    if (!frames_.due(step)) submit_frame(picture);
    writer_.drain();
}

nlohmann::ordered_json Outputs::probe_summary() const { return files_->probes.summary(); }

}  // namespace scree::simulation
