#include "apps/tactus/robot/robot_page.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "tactus/io/html/path_page.hpp"

namespace tactus::app {
namespace {

/// Pictures of a path that moves; the player goes smoothly from one to the next.
constexpr int kPictures = 401;
/// A path without duration is shown for this long.
constexpr double kStill = 1.0;
/// Robots' links take turns in these colors; what moves around them has the last.
constexpr std::array<const char*, 4> kLinks{"#4878a8", "#7ba05b", "#8b6fb3", "#4d9a94"};
constexpr const char* kMoving = "#e08e3c";

class PageMaker {
 public:
  PageMaker(const RobotCollision& collision, std::span<const double> times,
            std::span<const PathSegment> segments)
      : collision_(collision), robot_(collision.robot()), times_(times), segments_(segments) {
    for (std::uint32_t i = 0; i < robot_.links().size(); ++i) {
      const RobotLink& link = robot_.links()[i];
      for (const RobotBody& body : link.bodies) {
        add_body(body, link.name, link.obstacle ? kMoving : kLinks[i % kLinks.size()]);
        scene_.bodies.back().definition.type = BodyType::kinematic;
        carriers_.push_back({i, body.pose});
      }
    }
    for (const RobotBody& body : collision.obstacles()) {
      add_body(body, body.name, "");
      include(body.shape, body.pose);
    }
    scene_.title = robot_.name();
  }

  void make(const std::string& file, io::PathClearance path) {
    if (carriers_.empty()) throw InvalidInput("--html", "the robot has no body to be drawn");
    const double duration = times_.back() - times_.front();
    const int count = duration > 0.0 ? kPictures : 2;
    path.start = times_.front();
    path.pictures_per_time = (count - 1) / (duration > 0.0 ? duration : kStill);
    io::Recording recording = io::start_recording(scene_);
    std::vector<Pose> poses(robot_.links().size());
    for (int k = 0; k < count; ++k) {
      const std::vector<double> values =
          values_at_time(path.start + duration * k / static_cast<double>(count - 1));
      robot_.link_poses(values, poses);
      add_picture(poses, recording);
      add_moment(collision_.clearance(values, {}, &cache_), path);
    }
    path.box = box_;
    io::write_path_page(scene_, recording, path, file);
  }

 private:
  void add_body(const RobotBody& body, const std::string& name, const char* color) {
    io::SceneBody made{name, scene_.shapes.size(), 1.0, 0, {body.shape, body.pose}, {color}};
    made.definition.type = BodyType::fixed;
    made.definition.id = static_cast<BodyId>(scene_.bodies.size() + 1);
    scene_.shapes.push_back({std::string(to_string(body.shape.type())), body.shape});
    scene_.bodies.push_back(std::move(made));
  }

  void include(const Shape& shape, const Pose& pose) {
    const Aabb box = bounding_box(shape, pose);
    if (!is_finite(box.lower) || !is_finite(box.upper)) return;
    box_ = empty_ ? box : merge(box_, box);
    empty_ = false;
  }

  /// The configuration at a time of the table.
  std::vector<double> values_at_time(double time) const {
    const auto after = std::upper_bound(times_.begin() + 1, times_.end(), time);
    const std::size_t i =
        std::min(static_cast<std::size_t>(after - times_.begin()) - 1, segments_.size() - 1);
    double part = 0.0;
    if (i + 1 < times_.size())
      part = std::clamp((time - times_[i]) / (times_[i + 1] - times_[i]), 0.0, 1.0);
    std::vector<double> values;
    for (const PathPolynomial& p : segments_[i]) values.push_back(p.at(part));
    return values;
  }

  void add_picture(const std::vector<Pose>& poses, io::Recording& recording) {
    io::Picture picture;
    picture.step = recording.pictures.size();
    for (std::size_t i = 0; i < carriers_.size(); ++i) {
      const Pose pose = poses[carriers_[i].link] * carriers_[i].pose;
      const Vec3 place = pose.position() - recording.origin;
      const Quat q = to_quaternion(pose.rotation());
      io::BodySample sample;
      for (std::size_t axis = 0; axis < 3; ++axis)
        sample.position[axis] = static_cast<float>(place[static_cast<int>(axis)]);
      sample.orientation = {static_cast<float>(q.w), static_cast<float>(q.x),
                            static_cast<float>(q.y), static_cast<float>(q.z)};
      picture.bodies.push_back(sample);
      include(scene_.bodies[i].definition.shape, pose);
    }
    recording.pictures.push_back(std::move(picture));
  }

  void add_moment(const RobotClearance& found, io::PathClearance& path) {
    io::NearestMoment moment;
    const DistanceResult& r = found.least.distance;
    if (found.least.link_a < 0) {
      moment.pair = std::numeric_limits<std::size_t>::max();
    } else {
      const std::string name = pair_name(collision_, found.least);
      const auto known = std::find(path.pairs.begin(), path.pairs.end(), name);
      moment = {r.distance, static_cast<std::size_t>(known - path.pairs.begin()), r.point_a,
                r.point_b};
      if (known == path.pairs.end()) path.pairs.push_back(name);
    }
    path.moments.push_back(moment);
  }

  struct Carrier {
    std::uint32_t link = 0;
    Pose pose;
  };
  const RobotCollision& collision_;
  const Robot& robot_;
  std::span<const double> times_;
  std::span<const PathSegment> segments_;
  io::Scene scene_;
  std::vector<Carrier> carriers_;  ///< a moving body's each, in the order of the scene
  RobotCache cache_;
  Aabb box_;
  bool empty_ = true;
};

}  // namespace

void write_robot_page(const RobotPathCommand& command, const RobotCollision& collision,
                      std::span<const double> times, std::span<const PathSegment> segments,
                      const PathStory& story) {
  io::PathClearance path;
  path.wanted = command.clearance;
  path.verdict = story.verdict;
  path.bracket = story.bracket;
  PageMaker(collision, times, segments).make(command.html, std::move(path));
}

}  // namespace tactus::app
