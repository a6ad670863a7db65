#pragma once

#include <cmath>

#include "tactus/core.hpp"
#include "tactus/narrow/difference/warm_start.hpp"
#include "tactus/narrow/search/epa.hpp"
#include "tactus/narrow/search/gjk.hpp"
#include "tactus/observer.hpp"

namespace tactus::detail {

/// Proof of the bracket of an answer; see CertificateKind in the query layer.
enum class ConvexProof : std::uint8_t { none, separation, axes, faces, ball };

struct ConvexOptions {
  double tolerance = 1e-8;  ///< wanted width of the bracket, relative to the larger body's extent
  bool steps = false;       ///< smooth cores: try `search_critical` before a simplex
  bool sign_only = false;   ///< stop once the sign of the signed distance is proved
  bool certify = false;     ///< leave a proof of the depth in `epa`, also where the sign is enough
  double max_distance = std::numeric_limits<double>::infinity();
  int max_iterations = 128;
  GjkVariant gjk;
  Vec3 start;                 ///< first direction, A's frame; zero: from centre to centre
  Vec3 axis;                  ///< separates boxes best, as a first direction where the features of
                              ///< `warm` are not the nearest; zero: there is none
  WarmStart* warm = nullptr;  ///< where an earlier search ended, and then this one; or null
  Observer* observer = nullptr;
};

/// Signed distance of two grown cores; A's frame.
struct ConvexAnswer {
  double distance = 0.0, lower = 0.0, upper = 0.0;
  Vec3 n;                 ///< unit, from A to B
  Vec3 core_a, core_b;    ///< witness points of the cores
  Vec3 point_a, point_b;  ///< witness points of the grown bodies, point_b - point_a = distance * n
  Status status = Status::converged;
  ConvexProof proof = ConvexProof::none;
  bool closed_form = false;
  bool unique = true;
  int iterations = 0;
};

/// How far the witnesses of a converged answer may miss distance * normal: by nothing that counts,
/// or by what a bracket that is wide by wish leaves open. (Both bounds can agree within rounding
/// without that, as a miss enters them squared.)
inline double witness_tolerance(double width, double size) {
  constexpr double kBeside = 2e-8, kWide = 1e-7;
  return width > kWide * size ? std::sqrt(width * size) : kBeside * size;
}

/// The searches of a pair that no formula answers: second-order steps on smooth cores; GJK decides
/// whether the cores are apart; a second-order step finishes separated and touching cores; the
/// expanding polytope bounds the depth of overlapping ones from below and finds the basin of the
/// least f, which the same step finishes. Grown by their radii, the signed distance shifts by their
/// sum. `epa` is working storage and keeps the vertices that prove a depth.
ConvexAnswer search_pair(const Cso& cso, const ConvexOptions& options, Epa& epa);

}  // namespace tactus::detail
