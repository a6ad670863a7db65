// A program that was written for 0.1: its names serve until 0.3, with warnings.
#include "tactus/tactus.hpp"

using namespace tactus;

double old_planar() {
  const Circle circle(1.0);
  const tactus::Region square({{0.0, 0.0}, {2.0, 0.0}, {2.0, 2.0}, {0.0, 2.0}});
  const Pose2 away(Vec2{5.0, 1.0}, 0.0);
  const tactus::PlanarResult r = tactus::distance(circle, away, square, {});
  const bool proved = tactus::check(PlanarShape(circle), away, PlanarShape(square), {}, r).ok;
  std::vector<Touch> found;
  tactus::touches(circle, away, square, {}, found);
  return proved && found.empty() ? r.distance : -1.0;
}

double old_soft() {
  DeformableWorld world(DeformableSettings{.time_step = 0.01});
  const TetrahedralMesh ball = tactus::tetrahedral_sphere(1.0, 0.5);
  tactus::validate(ball);
  return static_cast<double>(world.bodies()) + tactus::quality(ball).volume;
}

double old_ccd() {
  const tactus::MovingVertexFace fall{{0.25, 0.25, 1.0},
                                      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                      {0.25, 0.25, -1.0},
                                      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  CcdOptions options;
  options.method = ccd_method_from("conservative").value();
  const CcdResult r = tactus::vertex_face(fall, options);
  return tactus::to_string(CcdMethod::cardano) == "cardano" ? r.time : -1.0;
}

double old_fit() {
  const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
  const OrientedBox box = tactus::box_along(corners, Mat3::identity());
  return box.method == BoxMethod::given ? box.volume() : -1.0;
}
