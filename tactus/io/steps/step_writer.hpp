#pragma once

#include <string>
#include <vector>

#include "tactus/observer.hpp"

namespace tactus::io {

/// Writes the steps of one query as JSON: `"steps":true` on a query line.
///
/// The frame is the world's: differences and directions have its axes, witness points and features
/// are places in it. Brackets are those of the bodies' signed distance, radii taken off (of a
/// motion: of time). A polytope whose points begin with those of the last one has only the others,
/// after `kept` of the last. Keeps `kMost` steps and counts the others, so that a line stays
/// readable. Cost: the text.
class StepWriter : public Observer {
 public:
  static constexpr int kMost = 4000;

  /// `pose_a`: of the body whose frame the events have, and `motion_a` how it moves. `only`: the
  /// stage whose steps are kept, or null for all of them.
  StepWriter(const Pose& pose_a, const RigidMotion& motion_a, const char* only)
      : start_(pose_a), pose_a_(pose_a), motion_a_(motion_a), only_(only) {}

  void simplex(const SimplexEvent& event) override;
  void segment(const SegmentEvent& event) override;
  void plane(const PlaneEvent& event) override;
  void cap(const CapEvent& event) override;
  void ray(const RayEvent& event) override;
  void polytope(const PolytopeEvent& event) override;

  /// Fields for an answer's line: `,"steps":[...]`, and `,"steps_left_out":N` where there are more.
  std::string fields() const;

 private:
  bool begin(const char* kind, const SearchState& state);
  void number(const char* name, double value);
  void direction(const char* name, const Vec3& v);
  void place(const char* name, const Vec3& v);
  void places(const char* name, std::span<const Vec3> points, bool differences);

  Pose start_, pose_a_;
  RigidMotion motion_a_;
  const char* only_;
  std::string text_;
  std::vector<Vec3> polytope_;  ///< points of the last one
  int count_ = 0, left_out_ = 0;
};

}  // namespace tactus::io
