#include <ccd/ccd.h>

#include <cmath>

#include "bench/peers/pairs.hpp"

namespace tactus::detail::bench {
namespace {

struct Placed {
  const Shape* shape;
  Pose pose;
};

Vec3 convert(const ccd_vec3_t& v) { return {v.v[0], v.v[1], v.v[2]}; }

/// libccd asks its users for the support functions: the plain ones, a pass over all vertices for
/// hulls.
Vec3 local_support(const Shape& shape, const Vec3& d) {
  if (const auto* sphere = std::get_if<Sphere>(&shape.geometry()))
    return d * (sphere->radius() / norm(d));
  if (const auto* box = std::get_if<Box>(&shape.geometry())) {
    const Vec3 half = box->half();
    return {std::copysign(half.x, d.x), std::copysign(half.y, d.y), std::copysign(half.z, d.z)};
  }
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape.geometry())) {
    const Vec3 scaled = component_product(ellipsoid->radii(), d);
    return component_product(ellipsoid->radii(), scaled / norm(scaled));
  }
  const double across = std::sqrt(d.x * d.x + d.y * d.y);
  const auto rim = [&](double radius, double z) {
    return across > 0.0 ? Vec3{radius * d.x / across, radius * d.y / across, z}
                        : Vec3{radius, 0.0, z};
  };
  if (const auto* capsule = std::get_if<Capsule>(&shape.geometry())) {
    return d * (capsule->radius() / norm(d)) +
           Vec3{0.0, 0.0, std::copysign(0.5 * capsule->length(), d.z)};
  }
  if (const auto* cylinder = std::get_if<Cylinder>(&shape.geometry()))
    return rim(cylinder->radius(), std::copysign(0.5 * cylinder->length(), d.z));
  if (const auto* cone = std::get_if<Cone>(&shape.geometry())) {
    const double half = 0.5 * cone->length();
    return cone->length() * d.z > cone->radius() * across ? Vec3{0.0, 0.0, half}
                                                          : rim(cone->radius(), -half);
  }
  const std::vector<Vec3>& vertices = std::get<Convex>(shape.geometry()).hull().vertices;
  const Vec3* best = &vertices.front();
  for (const Vec3& v : vertices) {
    if (dot(v, d) > dot(*best, d)) best = &v;
  }
  return *best;
}

void placed_support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
  const auto& placed = *static_cast<const Placed*>(object);
  const Vec3 point = placed.pose.to_world(
      local_support(*placed.shape, placed.pose.direction_to_local(convert(*direction))));
  ccdVec3Set(out, point.x, point.y, point.z);
}

void placed_center(const void* object, ccd_vec3_t* out) {
  const Vec3& center = static_cast<const Placed*>(object)->pose.position();
  ccdVec3Set(out, center.x, center.y, center.z);
}

/// GJK and EPA for the depth, MPR for overlap. libccd has no distance.
class Ccd final : public Peer {
 public:
  std::string name() const override { return "libccd"; }

  bool prepare(const PairSet& set) override {
    if (set.question == Question::distance || set.question == Question::contacts) return false;
    question_ = set.question;
    items_.clear();
    for (const PairSet::Pair& p : set.pairs) {
      items_.push_back({{&set.shapes[p.a], p.pose_a}, {&set.shapes[p.b], p.pose_b}});
    }
    return true;
  }

  void answer(std::span<double> out) override {
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = placed_support;
    ccd.center1 = ccd.center2 = placed_center;
    ccd.max_iterations = 500;
    ccd.epa_tolerance = 1e-6;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Item& item = items_[i];
      if (question_ == Question::overlap) {
        out[i] = ccdMPRIntersect(&item.a, &item.b, &ccd);
      } else {
        ccd_real_t depth = 0.0;
        ccd_vec3_t direction;
        ccd_vec3_t position;
        out[i] = ccdGJKPenetration(&item.a, &item.b, &ccd, &depth, &direction, &position) == 0
                     ? depth
                     : 0.0;
      }
    }
  }

 private:
  struct Item {
    Placed a, b;
  };
  std::vector<Item> items_;
  Question question_ = Question::depth;
};

}  // namespace

std::unique_ptr<Peer> make_ccd() { return std::make_unique<Ccd>(); }

}  // namespace tactus::detail::bench
