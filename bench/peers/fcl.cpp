#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>

#include "bench/peers/fcl_convert.hpp"
#include "bench/peers/pairs.hpp"

namespace tactus::detail::bench {
namespace {

std::unique_ptr<fcl::CollisionGeometryd> geometry_of(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape.geometry())) {
    return std::make_unique<fcl::Sphered>(sphere->radius());
  }
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape.geometry())) {
    return std::make_unique<fcl::Ellipsoidd>(to_fcl(ellipsoid->radii()));
  }
  if (const auto* box = std::get_if<Box>(&shape.geometry())) {
    return std::make_unique<fcl::Boxd>(to_fcl(box->size()));
  }
  if (const auto* capsule = std::get_if<Capsule>(&shape.geometry())) {
    return std::make_unique<fcl::Capsuled>(capsule->radius(), capsule->length());
  }
  if (const auto* cylinder = std::get_if<Cylinder>(&shape.geometry())) {
    return std::make_unique<fcl::Cylinderd>(cylinder->radius(), cylinder->length());
  }
  if (const auto* cone = std::get_if<Cone>(&shape.geometry())) {
    return std::make_unique<fcl::Coned>(cone->radius(), cone->length());
  }
  const ConvexHull& hull = std::get<Convex>(shape.geometry()).hull();
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
  for (const Vec3& v : hull.vertices) vertices->push_back(to_fcl(v));
  auto faces = std::make_shared<std::vector<int>>();
  for (const ConvexHull::Face& face : hull.faces) {
    faces->push_back(static_cast<int>(face.count));
    for (const std::uint32_t corner : hull.corners(face))
      faces->push_back(static_cast<int>(corner));
  }
  return std::make_unique<fcl::Convexd>(vertices, static_cast<int>(hull.faces.size()), faces);
}

/// Default solver (libccd), default tolerances.
class Fcl final : public Peer {
 public:
  std::string name() const override { return "FCL"; }

  bool prepare(const PairSet& set) override {
    question_ = set.question;
    shapes_.clear();
    items_.clear();
    for (const Shape& shape : set.shapes) {
      shapes_.push_back(geometry_of(shape));
      shapes_.back()->computeLocalAABB();
    }
    for (const PairSet::Pair& p : set.pairs)
      items_.push_back({p.a, p.b, to_fcl(p.pose_a), to_fcl(p.pose_b)});
    return true;
  }

  void answer(std::span<double> out) override {
    const fcl::DistanceRequestd ask_distance(true);
    const bool all = question_ == Question::contacts;
    const fcl::CollisionRequestd ask_contact(all ? 4 : 1, question_ != Question::overlap);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Item& item = items_[i];
      const fcl::CollisionGeometryd* a = shapes_[item.a].get();
      const fcl::CollisionGeometryd* b = shapes_[item.b].get();
      if (question_ == Question::distance) {
        fcl::DistanceResultd result;
        out[i] = fcl::distance(a, item.pose_a, b, item.pose_b, ask_distance, result);
      } else {
        fcl::CollisionResultd result;
        const bool hit = fcl::collide(a, item.pose_a, b, item.pose_b, ask_contact, result) > 0;
        if (question_ == Question::overlap) {
          out[i] = hit ? 1.0 : 0.0;
        } else {
          out[i] = 0.0;
          for (std::size_t k = 0; hit && k < result.numContacts(); ++k)
            out[i] = std::max(out[i], result.getContact(k).penetration_depth);
        }
      }
    }
  }

 private:
  struct Item {
    std::uint32_t a, b;
    fcl::Transform3d pose_a, pose_b;
  };
  std::vector<std::unique_ptr<fcl::CollisionGeometryd>> shapes_;
  std::vector<Item> items_;
  Question question_ = Question::distance;
};

}  // namespace

std::unique_ptr<Peer> make_fcl() { return std::make_unique<Fcl>(); }

}  // namespace tactus::detail::bench
