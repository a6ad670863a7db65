#include <ode/ode.h>

#include <algorithm>
#include <array>
#include <cstdarg>

#include "bench/peers/pairs.hpp"

namespace tactus::detail::bench {
namespace {

/// The arrays that an ODE convex refers to.
struct ConvexData {
  std::vector<dReal> planes, points;
  std::vector<unsigned int> polygons;
};

ConvexData convert(const ConvexHull& hull) {
  ConvexData data;
  for (const Vec3& v : hull.vertices) data.points.insert(data.points.end(), {v.x, v.y, v.z});
  for (const ConvexHull::Face& face : hull.faces) {
    data.planes.insert(data.planes.end(),
                       {face.normal.x, face.normal.y, face.normal.z, face.offset});
    data.polygons.push_back(face.count);
    for (const std::uint32_t corner : hull.corners(face)) data.polygons.push_back(corner);
  }
  return data;
}

/// dCollide with up to four contacts. ODE has no distance, no ellipsoids, no cones, and cylinders
/// only against some shapes.
class Ode final : public Peer {
 public:
  Ode() {
    dInitODE2(0);
    // Its warnings about hulls that it takes for badly oriented would bury the table.
    dSetMessageHandler([](int, const char*, va_list) {});
  }
  ~Ode() override {
    clear();
    dCloseODE();
  }
  Ode(const Ode&) = delete;
  Ode& operator=(const Ode&) = delete;

  std::string name() const override { return "ODE"; }

  bool prepare(const PairSet& set) override {
    if (set.question == Question::distance) return false;
    for (const Shape& shape : set.shapes) {
      const ShapeType type = shape.type();
      if (type != ShapeType::sphere && type != ShapeType::box && type != ShapeType::capsule &&
          type != ShapeType::convex) {
        return false;
      }
    }
    question_ = set.question;
    clear();
    for (const Shape& shape : set.shapes) {
      const auto* convex = std::get_if<Convex>(&shape.geometry());
      data_.push_back(convex != nullptr ? convert(convex->hull()) : ConvexData{});
    }
    for (const PairSet::Pair& p : set.pairs) {
      geoms_.push_back({place(set.shapes[p.a], data_[p.a], p.pose_a),
                        place(set.shapes[p.b], data_[p.b], p.pose_b)});
    }
    return true;
  }

  void answer(std::span<double> out) override {
    std::array<dContactGeom, 4> contacts;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const int wanted = question_ == Question::overlap ? 1 : static_cast<int>(contacts.size());
      const int count =
          dCollide(geoms_[i].a, geoms_[i].b, wanted, contacts.data(), sizeof(dContactGeom));
      if (question_ == Question::overlap) {
        out[i] = count > 0 ? 1.0 : 0.0;
      } else {
        out[i] = 0.0;
        for (int k = 0; k < count; ++k)
          out[i] = std::max(out[i], contacts[static_cast<std::size_t>(k)].depth);
      }
    }
  }

 private:
  struct Geoms {
    dGeomID a, b;
  };

  static dGeomID place(const Shape& shape, ConvexData& data, const Pose& pose) {
    dGeomID geom = nullptr;
    if (const auto* sphere = std::get_if<Sphere>(&shape.geometry())) {
      geom = dCreateSphere(nullptr, sphere->radius());
    } else if (const auto* box = std::get_if<Box>(&shape.geometry())) {
      geom = dCreateBox(nullptr, box->size().x, box->size().y, box->size().z);
    } else if (const auto* capsule = std::get_if<Capsule>(&shape.geometry())) {
      geom = dCreateCapsule(nullptr, capsule->radius(), capsule->length());
    } else {
      geom = dCreateConvex(nullptr, data.planes.data(),
                           static_cast<unsigned>(data.planes.size() / 4), data.points.data(),
                           static_cast<unsigned>(data.points.size() / 3), data.polygons.data());
    }
    dMatrix3 rotation = {};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) rotation[4 * i + j] = pose.rotation()(i, j);
    }
    dGeomSetPosition(geom, pose.position().x, pose.position().y, pose.position().z);
    dGeomSetRotation(geom, rotation);
    return geom;
  }

  void clear() {
    for (const Geoms& g : geoms_) {
      dGeomDestroy(g.a);
      dGeomDestroy(g.b);
    }
    geoms_.clear();
    data_.clear();
  }

  std::vector<ConvexData> data_;
  std::vector<Geoms> geoms_;
  Question question_ = Question::depth;
};

}  // namespace

std::unique_ptr<Peer> make_ode() { return std::make_unique<Ode>(); }

}  // namespace tactus::detail::bench
