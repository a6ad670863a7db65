#pragma once

#include <vector>

#include "tactus/check.hpp"
#include "tactus/check/piece.hpp"
#include "tactus/check/rounding.hpp"
#include "tactus/query.hpp"
#include "tactus/shape/parts.hpp"

namespace tactus::detail {

/// Status says whether there is an answer at all; nothing else of it counts.
inline bool answered(Status status) {
  return status != Status::invalid_input && status != Status::unsupported;
}

/// Two bodies and a certificate, and what follows about them: the part of the checker that all
/// kinds of answers share. Poses are about A's position.
class Examiner {
 public:
  Examiner(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
           const Certificate* certificate);

  /// The bodies move.
  void set_motion(const RigidMotion& a, const RigidMotion& b);

  /// Are squares and products of all lengths within the range of double?
  bool in_range() const { return in_range_; }
  /// Roundings that a claim about the pair is allowed; of points in the world.
  double slack() const { return slack_; }
  double world_slack() const { return world_slack_; }
  double lengths() const { return lengths_; }
  bool has_mesh() const { return has_mesh_; }
  bool has_custom() const { return has_custom_; }
  const Pair& pair() const { return pair_; }
  const std::vector<Part>& parts_a() const { return a_; }
  const std::vector<Part>& parts_b() const { return b_; }
  const Certificate* certificate() const { return certificate_; }
  /// A world point about A's position.
  Vec3 local(const Vec3& world) const { return world - origin_; }
  const Vec3& origin() const { return origin_; }

  /// The greatest lower bound of the signed distance, at all times up to `time`, that follows: of
  /// all pairs of parts the least. `n`: a direction to try first. `roundings`: of the evaluation,
  /// taken off.
  double proved_lower(const Vec3& n, double time = 0.0, double roundings = 0.0) const;
  /// As `proved_lower`, for the depth of unions: one translation must free all pairs of parts.
  double proved_lower_of_unions(const Vec3& n) const;
  /// The certificate's proof of a depth, as an upper bound of the signed distance: +infinity where
  /// there is none. `wanted`: a value that would suffice.
  double proved_depth(double wanted, bool of_unions, std::string& reason) const;
  /// The parts that an answer names: null where they do not exist.
  const Part* part_of_a(std::int32_t index) const;
  const Part* part_of_b(std::int32_t index) const;
  /// How far a world point is outside of a part of A or B in a pose: outside of all of the body's
  /// parts for a null part.
  double outside(bool of_a, const Part* part, const Pose& pose, const Vec3& world) const;

 private:
  void take_orders();
  // The bound that all pairs of parts share once B has gone by `shift`.
  double lower_after(const Vec3& shift, const Vec3& n) const;
  std::span<const Certificate::Apart> certificate_listed() const;

  Pair pair_;
  Vec3 origin_;
  std::vector<Part> a_, b_;
  const Certificate* certificate_;
  double slack_ = 0.0, world_slack_ = 0.0, lengths_ = 0.0;
  bool in_range_ = true, has_mesh_ = false, has_custom_ = false;
};

/// point_b - point_a = distance * normal, to rounding between flat bodies, to its square root where
/// a body is curved. Of an answer with a wide bracket, to what follows: |point_b - point_a| <=
/// upper and normal . (point_b - point_a) >= distance.
struct WitnessClaim {
  double distance = 0.0, upper = 0.0;
  Vec3 normal, point_a, point_b;
  double slack = 0.0;  ///< of the distance along the normal
  std::int32_t part_a = -1, part_b = -1, triangle_a = -1, triangle_b = -1;
  bool first_contact = false;  ///< the bodies were apart up to now
  bool of_unions = false;
};

/// The claims normal, points, relation, parts and triangles of an answer about the bodies in the
/// given poses (about A's position). `lower`: what the answer says of the distance along the
/// normal.
void examine_witnesses(const Examiner& examiner, const Pose& a, const Pose& b,
                       const WitnessClaim& claim, double lower, CheckReport& report);

}  // namespace tactus::detail
