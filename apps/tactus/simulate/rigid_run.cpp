#include "apps/tactus/simulate/rigid_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "apps/tactus/simulate/checkpoint_clock.hpp"
#include "apps/tactus/simulate/pair_recorder.hpp"
#include "tactus/core.hpp"
#include "tactus/distributed/ranks_access.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/run/picture_format.hpp"

namespace tactus::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A line of the table of results.
struct Check {
  std::string name;
  double value;
  double bound;  ///< the value must not exceed it
  bool ok() const { return value <= bound; }
};

int count_outside(const RigidWorld& world, const Aabb& inside) {
  int outside = 0;
  for (const Body& body : world.bodies()) {
    if (!body.is_dynamic()) continue;
    const Vec3& place = body.center_of_mass();
    outside += overlaps(inside, {place, place}) ? 0 : 1;
  }
  return outside;
}

json to_json(const StepStatistics& s) {
  return {{"step", s.step},
          {"time", s.time},
          {"bodies", s.bodies},
          {"moving", s.moving},
          {"asleep", s.asleep},
          {"candidate_pairs", s.candidate_pairs},
          {"contacts", s.contacts},
          {"contact_points", s.contact_points},
          {"substeps", s.substeps},
          {"deepest_penetration", s.deepest_penetration},
          {"deepest_relative_penetration", s.deepest_relative_penetration},
          {"mean_relative_penetration", s.mean_relative_penetration},
          {"kinetic_energy", s.kinetic_energy},
          {"potential_energy", s.potential_energy},
          {"max_speed", s.max_speed},
          {"max_relative_speed", s.max_relative_speed},
          {"rms_relative_speed", s.rms_relative_speed}};
}

/// The load of the grains in a region; none where it is unbounded.
std::optional<GrainMeasures> grains_in(const io::SceneRegion& region, const RigidWorld& world) {
  if (!std::isfinite(bounding_radius(region.shape))) return {};
  const double volume = mass_properties(region.shape).volume;
  if (!(volume > 0.0)) return {};
  return measure_grains(world, io::bodies_in(region, world), volume);
}

double pressure(const GrainMeasures& grains) { return trace(grains.stress) / 3.0; }

std::string region_line(const io::SceneRegion& region, const RigidWorld& world) {
  std::string line =
      fmt::format("in {}: {} bodies", region.name, io::bodies_in(region, world).size());
  if (const auto grains = grains_in(region, world); grains && grains->contacts > 0) {
    line += fmt::format(", {:.3g} solid, {:.3g} contacts each, pressure {:.4g}",
                        grains->solid_fraction, grains->coordination, pressure(*grains));
  }
  return line;
}

json to_json(const Mat3& m) {
  json rows = json::array();
  for (const Vec3& row : m.row) rows.push_back({row.x, row.y, row.z});
  return rows;
}

json region_report(const io::SceneRegion& region, const RigidWorld& world) {
  json report = {{"name", region.name}, {"bodies", io::bodies_in(region, world).size()}};
  if (const auto grains = grains_in(region, world)) {
    report["contacts"] = grains->contacts;
    report["solid_fraction"] = grains->solid_fraction;
    report["coordination"] = grains->coordination;
    report["pressure"] = pressure(*grains);
    report["stress"] = to_json(grains->stress);
    report["fabric"] = to_json(grains->fabric);
  }
  return report;
}

std::string table_line(const io::SummaryRow& row) {
  return fmt::format("{:>8.2f} {:>7} {:>8} {:>8} {:>11.3g} {:>11.3g} {:>12.6g} {:>11.3g} {:>8.2f}",
                     row.time, row.bodies, row.pairs, row.contacts, row.deepest_penetration,
                     row.mean_penetration, row.energy, row.rms_speed, row.milliseconds);
}

class RigidRun final : public SceneRun {
 public:
  RigidRun(const SimulateCommand& command, const io::Scene& scene, distributed::Ranks* ranks,
           io::ScenePart* part)
      : command_(command),
        scene_(scene),
        ranks_(ranks),
        summary_(scene.step_rate),
        clock_(command.checkpoint) {
    if (part != nullptr && part->is_made()) {
      auto world =
          of_scene(command, [&] { return part->share_out(detail::RanksAccess::exchange(*ranks)); });
      shared_ = world.get();
      world_ = std::move(world);
      return;
    }
    make();
    shared_ = ranks != nullptr ? dynamic_cast<World*>(world_.get()) : nullptr;
    if (shared_ != nullptr) ranks->share_out(*shared_);
  }

  void make() {
    const SimulateCommand& command = command_;
    const io::Scene& scene = scene_;
    if (command.continue_from.empty()) {
      world_ = of_scene(command, [&] {
        return io::build_world(
            scene, command.allow_overlap ? io::StartOverlap::separate : io::StartOverlap::refuse);
      });
      return;
    }
    const io::RunCheckpoint old = io::read_checkpoint(command.continue_from);
    require_scene(command, scene, old.fingerprint);
    world_ = io::continue_world(scene, old.state);
    summary_ = old.summary;
  }

  std::uint64_t step_count() const override { return world_->step_count(); }
  std::uint64_t state_hash() const override { return world_->state_hash(); }
  std::string table_head() const override {
    return fmt::format("{:>8} {:>7} {:>8} {:>8} {:>11} {:>11} {:>12} {:>11} {:>8}\n", "time",
                       "bodies", "pairs", "contacts", "deepest", "mean", "energy", "rms speed",
                       "ms per") +
           fmt::format("{:>8} {:>7} {:>8} {:>8} {:>11} {:>11} {:>12} {:>11} {:>8}", "", "", "", "",
                       "penetration", "pen. / size", "", "sizes / s", "step");
  }

  void open(const RunFiles& files) override {
    if (shared_ != nullptr) {
      records_ = io::start_run(scene_);
      ranks_->collect_on_first(*shared_);
    }
    if (shared_ != nullptr && ranks_->rank() > 0) {
      // The first rank saves the state too.
      if (command_.continue_from.empty()) world_->save();
      return;
    }
    if (command_.continue_from.empty()) {
      recorder_ = std::make_unique<io::RunRecorder>(scene_, *world_, files.recording());
    } else {
      recorder_ =
          std::make_unique<io::RunRecorder>(scene_, files.recording(), command_.continue_from);
    }
    clock_ = CheckpointClock(command_.checkpoint);
  }

  Done step() override {
    // Acts look for bodies anywhere, and pairs are recorded at the poses of all.
    if (shared_ != nullptr && (!scene_.acts.empty() || !command_.record_pairs.empty()))
      ranks_->collect(*shared_);
    io::begin_step(scene_, step_count(), *world_);
    if (!command_.record_pairs.empty()) pairs_.before_step(*world_);
    const StepStatistics& done = world_->step();
    if (done.failure.any()) return {done.failure, {}};
    note_broken_joints();
    const bool row_ended = summary_.add(done);
    if (command_.record_every > 0 && step_count() % command_.record_every == 0) add_pairs(true);
    if (records_ && io::picture_is_due(*records_, step_count())) ranks_->collect_on_first(*shared_);
    if (recorder_) recorder_->record(*world_);
    return {{}, row_ended ? table_line(summary_.rows().back()) : std::string()};
  }

  void save(bool /*row_ended*/) override {
    // The first rank has the clock that counts.
    bool due = recorder_ && clock_.is_due();
    if (shared_ != nullptr) due = ranks_->any(due);
    if (!due) return;
    if (shared_ != nullptr) ranks_->collect_on_first(*shared_);
    if (recorder_)
      clock_.save([&] { recorder_->checkpoint(*world_, summary_); });
    else
      world_->save();
  }

  bool moves_any() const override {
    const auto bodies = world_->bodies();
    return std::any_of(bodies.begin(), bodies.end(),
                       [](const Body& body) { return body.is_dynamic(); });
  }

  std::vector<std::string> write(const RunFiles* files) override {
    std::vector<std::string> written;
    // No rank has to hold all bodies where nobody looks at them.
    if (shared_ != nullptr && (files != nullptr || !scene_.regions.empty() || scene_.goal.inside ||
                               !command_.record_pairs.empty()))
      ranks_->collect_on_first(*shared_);
    if (files != nullptr && recorder_) {
      write_files(*files, written);
    } else {
      if (files != nullptr) world_->save();
      summary_.flush();
    }
    if (!command_.record_pairs.empty()) {
      if (command_.record_every == 0) add_pairs(false);
      if (!is_first()) return written;
      pairs_.finish(command_.record_pairs);
      written.push_back(command_.record_pairs);
    }
    return written;
  }

  void print_verdict(bool finished) const override {
    // The others do not know all bodies.
    if (!is_first()) return;
    const auto rows = summary_.rows();
    if (!rows.empty() && step_count() % scene_.step_rate != 0)
      fmt::print("{}\n", table_line(rows.back()));
    for (const io::SceneRegion& region : scene_.regions)
      fmt::print("{}\n", region_line(region, *world_));
    for (const ServoReading& servo : servos())
      fmt::print("wall {}: load {:.6g} at {:.6g}, speed {:.3g}\n", name_of(servo.body), servo.load,
                 servo.position, servo.speed);
    for (const json& broken : broken_)
      fmt::print("joint {} of {} and {} broke at {:.4f}: force {:.6g}, torque {:.6g}\n",
                 broken["joint"].get<int>(), broken["bodies"][0].get<std::string>(),
                 broken["bodies"][1].get<std::string>(), broken["time"].get<double>(),
                 broken["force"].get<double>(), broken["torque"].get<double>());
    for (const Check& check : judge(finished)) {
      fmt::print("{:6} {:52} {:10.3g}  (at most {:g})\n", check.ok() ? "ok" : "MISSED", check.name,
                 check.value, check.bound);
    }
  }

  void add_to(json& report, bool finished, const std::vector<std::string>& written) const override {
    if (!is_first()) return;
    json rows = json::array();
    for (const io::SummaryRow& row : summary_.rows()) {
      json entry;
      for (const io::SummaryColumn& column : io::summary_columns()) {
        entry[std::string(column.name)] = row.*column.value;
      }
      rows.push_back(std::move(entry));
    }
    json verdict = json::array();
    for (const Check& check : judge(finished)) {
      verdict.push_back({{"check", check.name},
                         {"value", check.value},
                         {"bound", check.bound},
                         {"ok", check.ok()}});
    }
    report["summary"] = std::move(rows);
    report["statistics"] = to_json(world_->statistics());
    for (const io::SceneRegion& region : scene_.regions) {
      report["regions"].push_back(region_report(region, *world_));
    }
    if (!broken_.empty()) report["broken_joints"] = broken_;
    for (const ServoReading& servo : servos()) {
      report["servos"].push_back({{"body", name_of(servo.body)},
                                  {"load", servo.load},
                                  {"position", servo.position},
                                  {"speed", servo.speed}});
    }
    report["verdict"] = std::move(verdict);
    report["files"] = written;
  }

  bool good(bool finished) const override {
    bool ok = true;
    for (const Check& check : judge(finished)) ok = ok && check.ok();
    return ok;
  }

 private:
  bool is_first() const { return shared_ == nullptr || ranks_->rank() == 0; }
  /// The first of several ranks writes the pairs of all.
  void add_pairs(bool numbered) {
    if (shared_ != nullptr) ranks_->collect_on_first(*shared_);
    const std::vector<PairMemory> pairs = world_->save().pairs;
    if (is_first()) pairs_.add(*world_, pairs, command_.record_pairs, numbered);
  }
  /// Adds the joints that broke in the step, numbered as in the scene, from 0.
  void note_broken_joints() {
    const auto* world = dynamic_cast<const World*>(world_.get());
    if (world == nullptr) return;
    for (const Joint& joint : world->broken_joints()) {
      const JointDefinition& d = joint.definition;
      broken_.push_back({{"joint", d.id - 1},
                         {"time", world->time()},
                         {"bodies", {name_of(d.body_a), name_of(d.body_b)}},
                         {"force", norm(joint.force)},
                         {"torque", norm(joint.torque)}});
    }
  }
  std::span<const ServoReading> servos() const {
    const auto* world = dynamic_cast<const World*>(world_.get());
    return world == nullptr ? std::span<const ServoReading>() : world->servos();
  }
  std::string name_of(BodyId id) const {
    for (const io::SceneBody& body : scene_.bodies)
      if (body.definition.id == id) return body.name;
    return std::to_string(id);
  }
  void write_files(const RunFiles& files, std::vector<std::string>& written) {
    const fs::path recording = files.recording(), table = files.with(".csv"),
                   page = files.with(".html");
    recorder_->finish(*world_, summary_);
    // Only after saving: a continued run goes on within the second that was begun.
    summary_.flush();
    io::write_atomically(table, summary_.to_csv());
    written = {recording.string(), table.string()};
    if (io::kPlayerPage.empty() || recorder_->pictures() == 0) return;
    io::PictureReader pictures(recording);
    io::write_html_page(scene_, summary_, pictures, page);
    written.push_back(page.string());
  }

  /// The goal is for the end of the scene, not for a part of it.
  std::vector<Check> judge(bool finished) const {
    std::vector<Check> checks;
    if (!is_first()) return checks;
    const io::Goal& goal = scene_.goal;
    const auto rows = summary_.rows();
    if (!finished || rows.empty()) return checks;
    const io::SummaryRow& last = rows.back();
    if (goal.rms_speed) {
      checks.push_back(
          {fmt::format("rms speed over the last {:.3g} s, body sizes per second", last.span),
           last.rms_speed, *goal.rms_speed});
    }
    if (goal.mean_penetration) {
      checks.push_back({"mean penetration of touching pairs / body size", last.mean_penetration,
                        *goal.mean_penetration});
    }
    if (goal.inside) {
      checks.push_back({"bodies outside the box",
                        static_cast<double>(count_outside(*world_, *goal.inside)), 0.0});
    }
    return checks;
  }

  const SimulateCommand& command_;
  const io::Scene& scene_;
  distributed::Ranks* ranks_;  ///< none: the whole world is here
  World* shared_ = nullptr;    ///< with them
  io::RunSummary summary_;
  std::unique_ptr<RigidWorld> world_;
  json broken_ = json::array();                ///< joints
  std::unique_ptr<io::RunRecorder> recorder_;  ///< none: no files are written here
  std::optional<io::RunCheckpoint> records_;   ///< rates of what the first of several ranks records
  CheckpointClock clock_;
  PairRecorder pairs_;
};

}  // namespace

std::unique_ptr<SceneRun> make_rigid_run(const SimulateCommand& command, const io::Scene& scene,
                                         distributed::Ranks* ranks, io::ScenePart* part) {
  return std::make_unique<RigidRun>(command, scene, ranks, part);
}

}  // namespace tactus::app
