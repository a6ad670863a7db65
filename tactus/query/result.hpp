#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "tactus/core/status.hpp"
#include "tactus/math/mat3.hpp"
#include "tactus/math/pose.hpp"
#include "tactus/math/trace.hpp"
#include "tactus/narrow/difference/warm_start.hpp"
#include "tactus/query/certificate.hpp"

namespace tactus {

/// Algorithms by name. `automatic` chooses the closed form where one exists, else GJK and EPA with
/// a finishing step. Asked for by name, an algorithm answers alone, with the bracket it can prove
/// (docs/algorithms), or Status::unsupported for pairs it does not serve: `closed_form` and `sat`
/// where there is no such form. The members of the gjk family leave closed forms out and hand
/// overlapping cores to the expanding polytope; they differ in the sub-algorithm or acceleration of
/// the search. Answered: what gave the bracket.
enum class Method : std::uint8_t {
  automatic,  ///< "auto"
  closed_form,
  gjk,
  gjk_nesterov,
  gjk_signed_volumes,
  epa,
  epa_classic,
  mpr,
  chung_wang,
  sat,
  separating_plane,
  v_clip
};
inline constexpr Method kMethods[] = {Method::automatic,
                                      Method::closed_form,
                                      Method::gjk,
                                      Method::gjk_nesterov,
                                      Method::gjk_signed_volumes,
                                      Method::epa,
                                      Method::epa_classic,
                                      Method::mpr,
                                      Method::chung_wang,
                                      Method::sat,
                                      Method::separating_plane,
                                      Method::v_clip};
std::string_view to_string(Method method);

/// Derivatives of the signed distance with respect to both poses, world frame: translation of the
/// body, then rotation about the body's own origin.
struct Derivatives {
  Vec3 linear_a, angular_a, linear_b, angular_b;
  bool smooth = false;  ///< false where the distance has a kink (the values are then one-sided)
};

/// Owned by the caller, one per pair, optional. It makes repeated queries on nearby poses faster
/// and never changes the truth of the bracket. Equal caches and equal queries give equal bits, so
/// that a cache belongs to the saved state.
using QueryCache = WarmStart;

/// Options of every query; the defaults serve.
struct QueryOptions {
  Method method = Method::automatic;
  double tolerance = 1e-8;  ///< wanted width of the bracket, relative to the pair's size
  double max_distance =
      std::numeric_limits<double>::infinity();  ///< stop when proved farther than this
  double threshold = 0.0;                       ///< contacts are reported up to this gap
  /// Only of `distance` with an open mesh, which has no inside that could give a sign: true is
  /// refused (Status::unsupported), false asks how far its bare surface is away, 0 where they meet.
  bool signed_distance = true;
  /// Cap of the work of each loop: support evaluations of a search, at most 400 of them on curved
  /// bodies; steps of a walk over features, of a cast and of its proof. An impact looks at 20 times
  /// as many poses of a convex pair, at 2,000 times as many of bodies made of parts. What a cap
  /// ends has a wider bracket, and says so in its status.
  int max_iterations = 1000;
  /// Filled on request, which allocates and costs more than the query itself.
  Certificate* certificate = nullptr;
  Derivatives* derivatives = nullptr;  ///< filled on request; zero and not smooth without an answer
  /// Receives steps, and last the answer of each pair of convex bodies or with a half-space.
  /// Changes neither the algorithm nor a bit of the answer.
  TraceSink* trace = nullptr;
};

/// Signed distance with its proof. `lower <= true value <= upper` and `lower <= distance <= upper`
/// always; negative values are minus the penetration depth. `normal` is a unit vector from A to B,
/// world frame, and point_b - point_a = distance * normal. No field is ever NaN: without an answer
/// (Status::invalid_input, unsupported, or precision_limit of lengths that sum up to more than 1e50
/// or, of two convex bodies, less than 1e-48) `distance` is infinite, as is the bracket on both
/// sides, and normal and points mean nothing.
struct DistanceResult {
  double distance = std::numeric_limits<double>::infinity();
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  Vec3 normal{0.0, 0.0, 1.0};
  Vec3 point_a, point_b;  ///< world
  Status status = Status::unsupported;
  Method method = Method::automatic;
  bool unique = true;           ///< false where several normals or witness points are equally good
  std::int32_t iterations = 0;  ///< support evaluations of A - B
  std::int32_t part_a = -1, part_b = -1;  ///< the parts of compounds that the answer refers to
  std::int32_t triangle_a = -1, triangle_b = -1;  ///< the triangles of meshes that it refers to
};

enum class Overlap : std::uint8_t { no, yes, undecided };

struct OverlapResult {
  Overlap overlap = Overlap::undecided;
  DistanceResult proof;  ///< a bracket that lies on one side of zero, unless undecided
};

/// One point of a contact patch. depth = (point_a - point_b) . normal: negative for a gap.
struct ContactPoint {
  Vec3 point_a, point_b;  ///< world, on the surfaces of A and B
  double depth = 0.0;
  std::uint64_t feature = 0;  ///< stays the same from step to step while the same features touch
};

/// Up to four points for a convex pair; compounds append the patches of their pairs of parts.
struct Manifold {
  static constexpr int kCapacity = 4;
  Vec3 normal;  ///< unit, world, from A to B
  std::array<ContactPoint, kCapacity> points;
  int count = 0;
  std::int32_t part_a = -1, part_b = -1;
  std::span<const ContactPoint> span() const {
    return {points.data(), static_cast<std::size_t>(count)};
  }
};

}  // namespace tactus
