#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/mesh.hpp"
#include "tactus/mesh/hull/hull_lists.hpp"

namespace tactus {
using namespace detail;
namespace {

// A volume below this part of the sum of the tetrahedra's absolute volumes is the rounding of their
// cancellation.
constexpr double kNoVolume = 64.0 * kEpsilon;

Vec3 mean(const std::vector<Vec3>& points) {
  Vec3 sum;
  for (const Vec3& p : points) sum += p;
  return points.empty() ? sum : sum / static_cast<double>(points.size());
}

// Sums signed tetrahedra between the origin and the triangles of a surface.
class TetrahedronSum {
 public:
  explicit TetrahedronSum(const Vec3& origin) : origin_(origin) {}

  void add(const Vec3& p, const Vec3& q, const Vec3& r) {
    const Vec3 a = p - origin_, b = q - origin_, c = r - origin_;
    const double six_volumes = dot(a, cross(b, c));
    const Vec3 s = (a + b) + c;
    volume_ += six_volumes;
    absolute_volume_ += std::fabs(six_volumes);
    first_ += s * six_volumes;
    second_ = second_ + (((outer(a, a) + outer(b, b)) + outer(c, c)) + outer(s, s)) * six_volumes;
  }

  MassProperties result() const {
    MassProperties mass{0.0, origin_, Mat3::zero()};
    if (!(std::fabs(volume_) > kNoVolume * absolute_volume_)) return mass;
    mass.volume = volume_ / 6.0;
    const Vec3 shift = first_ / (4.0 * volume_);
    mass.center = origin_ + shift;
    const Mat3 central = second_ * (1.0 / 120.0) - outer(shift, shift) * mass.volume;
    mass.inertia = Mat3::identity() * trace(central) - central;
    return mass;
  }

 private:
  Vec3 origin_;
  double volume_ = 0.0, absolute_volume_ = 0.0;  // times 6
  Vec3 first_;                                   // integral of x, times 24
  Mat3 second_ = Mat3::zero();                   // integral of x x^T, times 120
};

}  // namespace

MassProperties mass_properties(const TriangleMesh& mesh) {
  TetrahedronSum sum(mean(mesh.vertices));
  for (const auto& [a, b, c] : mesh.triangles) {
    sum.add(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]);
  }
  return sum.result();
}

MassProperties mass_properties(const ConvexHull& hull) {
  detail::require_lists(hull);
  TetrahedronSum sum(mean(hull.vertices));
  if (hull.dimension == 3) {
    for (const ConvexHull::Face& face : hull.faces) {
      const auto corners = hull.corners(face);
      for (std::size_t i = 2; i < corners.size(); ++i) {
        sum.add(hull.vertices[corners[0]], hull.vertices[corners[i - 1]],
                hull.vertices[corners[i]]);
      }
    }
  }
  return sum.result();
}

}  // namespace tactus
