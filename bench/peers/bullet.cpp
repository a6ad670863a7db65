#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include "bench/peers/pairs.hpp"

namespace tactus::detail::bench {
namespace {

btVector3 convert(const Vec3& v) { return {v.x, v.y, v.z}; }
btTransform convert(const Pose& p) {
  const Mat3& r = p.rotation();
  return btTransform(
      btMatrix3x3(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
      convert(p.position()));
}

/// Bullet has no ellipsoid: this is one through its interface for shapes of users.
class BulletEllipsoid final : public btConvexInternalShape {
 public:
  explicit BulletEllipsoid(const Vec3& radii) : radii_(convert(radii)) {
    m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
    m_collisionMargin = 0.0;
  }
  btVector3 localGetSupportingVertexWithoutMargin(const btVector3& direction) const override {
    const btVector3 scaled = direction * radii_;
    const btScalar length = scaled.length();
    return length > 0.0 ? scaled * radii_ / length : btVector3(radii_.x(), 0.0, 0.0);
  }
  void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* directions,
                                                         btVector3* out, int count) const override {
    for (int i = 0; i < count; ++i) out[i] = localGetSupportingVertexWithoutMargin(directions[i]);
  }
  void calculateLocalInertia(btScalar, btVector3& inertia) const override { inertia.setZero(); }
  const char* getName() const override { return "ellipsoid"; }

 private:
  btVector3 radii_;
};

std::unique_ptr<btConvexShape> convert(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape.geometry())) {
    return std::make_unique<btSphereShape>(sphere->radius());
  }
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape.geometry())) {
    return std::make_unique<BulletEllipsoid>(ellipsoid->radii());
  }
  if (const auto* capsule = std::get_if<Capsule>(&shape.geometry())) {
    return std::make_unique<btCapsuleShapeZ>(capsule->radius(), capsule->length());
  }
  std::unique_ptr<btConvexShape> result;
  if (const auto* box = std::get_if<Box>(&shape.geometry())) {
    result = std::make_unique<btBoxShape>(convert(box->half()));
  } else if (const auto* cylinder = std::get_if<Cylinder>(&shape.geometry())) {
    result = std::make_unique<btCylinderShapeZ>(
        btVector3(cylinder->radius(), cylinder->radius(), 0.5 * cylinder->length()));
  } else if (const auto* cone = std::get_if<Cone>(&shape.geometry())) {
    result = std::make_unique<btConeShapeZ>(cone->radius(), cone->length());
  } else {
    auto hull = std::make_unique<btConvexHullShape>();
    for (const Vec3& v : std::get<Convex>(shape.geometry()).hull().vertices)
      hull->addPoint(convert(v), false);
    hull->recalcLocalAabb();
    result = std::move(hull);
  }
  result->setMargin(0.0);
  return result;
}

/// GJK pair detector with the EPA solver, margins zero.
class Bullet final : public Peer {
 public:
  std::string name() const override { return "Bullet"; }

  bool prepare(const PairSet& set) override {
    if (set.question == Question::overlap || set.question == Question::contacts) return false;
    depth_ = set.question == Question::depth;
    shapes_.clear();
    items_.clear();
    for (const Shape& shape : set.shapes) shapes_.push_back(convert(shape));
    for (const PairSet::Pair& p : set.pairs)
      items_.push_back({p.a, p.b, convert(p.pose_a), convert(p.pose_b)});
    return true;
  }

  void answer(std::span<double> out) override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Item& item = items_[i];
      btGjkPairDetector detector(shapes_[item.a].get(), shapes_[item.b].get(), &simplex_, &epa_);
      btDiscreteCollisionDetectorInterface::ClosestPointInput input;
      input.m_transformA = item.pose_a;
      input.m_transformB = item.pose_b;
      btPointCollector collector;
      detector.getClosestPoints(input, collector, nullptr);
      const double signed_distance = collector.m_hasResult ? collector.m_distance : 0.0;
      out[i] = depth_ ? -signed_distance : signed_distance;
    }
  }

 private:
  struct Item {
    std::uint32_t a, b;
    btTransform pose_a, pose_b;
  };
  std::vector<std::unique_ptr<btConvexShape>> shapes_;
  std::vector<Item> items_;
  btVoronoiSimplexSolver simplex_;
  btGjkEpaPenetrationDepthSolver epa_;
  bool depth_ = false;
};

}  // namespace

std::unique_ptr<Peer> make_bullet() { return std::make_unique<Bullet>(); }

}  // namespace tactus::detail::bench
