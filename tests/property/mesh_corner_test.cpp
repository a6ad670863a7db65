// Bodies in the corners of meshes: the depth against plane arithmetic, contacts of each wall.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/check.hpp"
#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tactus/query/dispatch.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

/// All x with n.x <= offset hold a translation back.
struct Plane {
  Vec3 n;
  double offset;
};

/// The facets of the hull of points: of all triples those with everything on one side.
std::vector<Plane> facets_of(const std::vector<Vec3>& points, double size) {
  std::vector<Plane> out;
  const double same = 1e-11 * size;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (std::size_t k = 0; k < j; ++k) {
        const Vec3 across = cross(points[j] - points[i], points[k] - points[i]);
        if (!(norm(across) > 1e-9 * size * size)) continue;
        for (const double side : {1.0, -1.0}) {
          const Plane p{normalized(across * side), dot(normalized(across * side), points[i])};
          bool all = true;
          for (const Vec3& q : points) all = all && dot(p.n, q) <= p.offset + same;
          for (const Plane& known : out) {
            all = all && !(dot(known.n, p.n) > 1.0 - 1e-12 &&
                           std::fabs(known.offset - p.offset) < 4.0 * same);
          }
          if (all) out.push_back(p);
        }
      }
    }
  }
  return out;
}

/// The shortest translation of a polytope out of triangles, by brute force: the nearest of all
/// points of planes, lines and corners of the arrangement that the facets of the differences make
/// which lies inside of none of these.
class Arrangement {
 public:
  Arrangement(const TriangleMesh& mesh, const std::vector<Vec3>& body, double size) {
    for (const auto& t : mesh.triangles) {
      std::vector<Vec3> difference;
      for (const std::uint32_t v : t) {
        for (const Vec3& b : body) difference.push_back(mesh.vertices[v] - b);
      }
      sets_.push_back(facets_of(difference, size));
      planes_.insert(planes_.end(), sets_.back().begin(), sets_.back().end());
    }
    same_ = 1e-10 * size;
  }

  bool meets() const { return !free({}); }

  double depth() {
    best_ = 1e300;
    for (const Plane& p : planes_) offer(p.n * p.offset);
    for (std::size_t i = 0; i < planes_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) add_line(planes_[i], planes_[j]);
    }
    for (std::size_t i = 0; i < planes_.size(); ++i) {
      if (std::fabs(planes_[i].offset) >= best_) continue;
      for (std::size_t j = 0; j < i; ++j) {
        if (std::fabs(planes_[j].offset) >= best_) continue;
        for (std::size_t k = 0; k < j; ++k) {
          if (std::fabs(planes_[k].offset) < best_) add_corner(planes_[i], planes_[j], planes_[k]);
        }
      }
    }
    return best_;
  }

 private:
  bool free(const Vec3& x) const {
    for (const auto& set : sets_) {
      bool inside = true;
      for (const Plane& p : set) inside = inside && dot(p.n, x) < p.offset - same_;
      if (inside) return false;
    }
    return true;
  }
  void offer(const Vec3& x) {
    if (norm(x) < best_ && free(x)) best_ = norm(x);
  }
  void add_line(const Plane& p, const Plane& q) {
    const double g = dot(p.n, q.n), d = 1.0 - g * g;
    if (d > 1e-10)
      offer(p.n * ((p.offset - g * q.offset) / d) + q.n * ((q.offset - g * p.offset) / d));
  }
  void add_corner(const Plane& p, const Plane& q, const Plane& r) {
    const Vec3 c = cross(q.n, r.n);
    const double det = dot(p.n, c);
    if (std::fabs(det) > 1e-8)
      offer((c * p.offset + cross(r.n, p.n) * q.offset + cross(p.n, q.n) * r.offset) / det);
  }

  std::vector<std::vector<Plane>> sets_;
  std::vector<Plane> planes_;
  double same_ = 0.0, best_ = 0.0;
};

/// Two large walls that meet at an edge, the second turned from the first by `angle`.
TriangleMesh two_walls(double angle, double length) {
  TriangleMesh mesh;
  const Vec3 x{length, 0, 0}, y{length * std::cos(angle), length * std::sin(angle), 0};
  const Vec3 z{0, 0, length};
  mesh.vertices = {-z, z, x - z, x + z, y - z, y + z};
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {0, 1, 5}, {0, 5, 4}};
  return mesh;
}

/// Three walls that meet at the origin.
TriangleMesh three_walls(Random& random, double length) {
  TriangleMesh mesh;
  mesh.vertices = {{}};
  for (int i = 0; i < 3; ++i)
    mesh.vertices.push_back(to_matrix(random_rotation(random)) * Vec3{length, 0, 0});
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}};
  return mesh;
}

std::vector<Vec3> corners_of(const Shape& body, const Pose& pose) {
  std::vector<Vec3> out;
  if (const auto* hull = std::get_if<Convex>(&body.geometry())) {
    for (const Vec3& v : hull->hull().vertices) out.push_back(pose.to_world(v));
    return out;
  }
  const Vec3 half = std::get<Box>(body.geometry()).half();
  for (int i = 0; i < 8; ++i) {
    out.push_back(pose.to_world({(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                                 (i & 4) != 0 ? half.z : -half.z}));
  }
  return out;
}

double least_extent(const Shape& body) {
  double least = 1e300;
  for (int i = 0; i < 40; ++i) {
    const double z = (i + 0.5) / 40.0, r = std::sqrt(1.0 - z * z), t = 2.399963 * i;
    const Vec3 n{r * std::cos(t), r * std::sin(t), z};
    least = std::min(least, support_value(body, n) + support_value(body, -n));
  }
  return least;
}

struct Corner {
  TriangleMesh mesh;
  Shape body;
  Pose pose;
};

Corner random_corner(Random& random, int i, const Shape& body) {
  const double pi = std::acos(-1.0);
  const double angle = random.uniform(20.0, 340.0) * pi / 180.0;
  const bool two = i % 2 == 0;
  Corner c{two ? two_walls(angle, 8.0) : three_walls(random, 8.0), body, {}};
  const double away = random.uniform(0.1, 1.2);
  Vec3 at;
  if (two) {
    const double t = random.uniform(0.1, 0.9) * angle;
    at = {away * std::cos(t), away * std::sin(t), random.uniform(-1, 1)};
  } else {
    const auto& v = c.mesh.vertices;
    at = normalized(v[1] * random.uniform(0.2, 1) + v[2] * random.uniform(0.2, 1) +
                    v[3] * random.uniform(0.2, 1)) *
         away;
  }
  c.pose = Pose(at, random_rotation(random));
  return c;
}

// The depth of a body in a corner of a mesh is that of plane arithmetic, whatever the angle.
TEST(MeshCorner, DepthIsThatOfTheArrangementOfPlanes) {
  Random random(43);
  int tried = 0, wide = 0, off = 0, false_brackets = 0;
  for (int i = 0; i < test::effort(160); ++i) {
    const Shape body = random.below(2) == 0
                           ? Shape(Box({random.uniform(0.3, 1.2), random.uniform(0.3, 1.2), 1.0}))
                           : random_hull(random, 8);
    const Corner c = random_corner(random, i, body);
    Arrangement reference(c.mesh, corners_of(c.body, c.pose), 10.0);
    if (!reference.meets()) continue;
    const double depth = reference.depth();
    if (!(depth < 0.5 * least_extent(body)) || !(depth > 1e-7)) continue;
    ++tried;
    std::vector<Manifold> out(16);
    const DistanceResult r = contacts(Mesh(c.mesh), Pose(), body, c.pose, out).distance;
    if (!(r.lower <= -depth + 1e-9) || !(r.upper >= -depth - 1e-9)) {
      ++false_brackets;
      ADD_FAILURE() << i << ": depth " << depth << ", answered " << r.distance << " in [" << r.lower
                    << ", " << r.upper << "] " << to_string(r.status);
    }
    wide += !(r.upper - r.lower <= 1e-6);
    off += !(std::fabs(r.distance + depth) <= 1e-6);
  }
  EXPECT_GT(tried, test::effort(160) / 5);
  EXPECT_EQ(false_brackets, 0);
  EXPECT_LE(wide, tried / 100);
  EXPECT_LE(off, tried / 100);
  if (test::effort(160) > 1000) {
    std::printf("corners: %d poses, %d brackets wider than 1e-6, %d distances off by more\n", tried,
                wide, off);
  }
}

// A ground of 128 triangles with bumps of a tenth of their size.
TriangleMesh bumpy_ground(Random& random) {
  constexpr int kSide = 9;
  TriangleMesh mesh;
  for (int x = 0; x < kSide; ++x) {
    for (int y = 0; y < kSide; ++y)
      mesh.vertices.push_back({0.5 * x - 2.0, 0.5 * y - 2.0, random.uniform(-0.05, 0.0)});
  }
  for (int x = 0; x + 1 < kSide; ++x) {
    for (int y = 0; y + 1 < kSide; ++y) {
      const auto at = [&](int i, int j) {
        return static_cast<std::uint32_t>((x + i) * kSide + y + j);
      };
      mesh.triangles.push_back({at(0, 0), at(1, 0), at(1, 1)});
      mesh.triangles.push_back({at(0, 0), at(1, 1), at(0, 1)});
    }
  }
  return mesh;
}

// Curved bodies: the way out frees them, and no shorter translation of many does.
TEST(MeshCorner, DepthOfCurvedBodiesIsTheShortestWayOut) {
  Random random(44);
  int tried = 0, wide = 0;
  for (int i = 0; i < test::effort(120); ++i) {
    const double r = random.uniform(0.2, 0.5);
    const Shape bodies[] = {
        Capsule(r, random.uniform(0.2, 1.0)),  Sphere(r),
        Cylinder(r, random.uniform(0.4, 1.0)), Cone(r, random.uniform(0.5, 1.0)),
        Ellipsoid({r, 0.7 * r, 1.3 * r}),      Shape(Box({r, r, 2 * r}), 0.1)};
    const Shape& body = bodies[random.below(6)];
    const Corner c = random_corner(random, i, body);
    const Shape mesh = Mesh(c.mesh);
    std::vector<Manifold> out(16);
    const DistanceResult d = contacts(mesh, Pose(), body, c.pose, out).distance;
    if (!(d.upper < -1e-7) || !(d.distance > -0.5 * least_extent(body))) continue;
    ++tried;
    wide += !(d.upper - d.lower <= 1e-6);
    // Where the way ends the body is out to rounding. Not so beyond: the way can lead towards
    // another wall, which it ends at.
    const Pose there = unchecked_pose(c.pose.position() - d.normal * d.lower, c.pose.rotation());
    const OverlapResult out_there = overlap(mesh, Pose(), body, there);
    EXPECT_TRUE(out_there.overlap == Overlap::no || out_there.proof.upper > -1e-12) << i;
    for (int k = 0; k < 20; ++k) {
      const Vec3 way = to_matrix(random_rotation(random)) * Vec3{-d.upper * (1.0 - 1e-9), 0, 0};
      const Pose near = unchecked_pose(c.pose.position() + way, c.pose.rotation());
      EXPECT_NE(overlap(mesh, Pose(), body, near).overlap, Overlap::no) << i;
    }
  }
  EXPECT_GT(tried, test::effort(120) / 8);
  EXPECT_LE(wide, tried / 20);
  if (test::effort(120) > 1000) std::printf("curved: %d poses, %d wide\n", tried, wide);
}

/// A body that is pushed into two walls, as deep as is drawn.
struct Held {
  Corner corner;
  Vec3 wall[2];
  double depth[2];
};

Held held_by_walls(Random& random) {
  const double angle = random.uniform(30.0, 170.0) * std::acos(-1.0) / 180.0;
  Held h{{two_walls(angle, 8.0), Box({0.4, 0.3, 0.35}), {}},
         {{0, 1, 0}, {std::sin(angle), -std::cos(angle), 0}},
         {}};
  const Mat3 turned = to_matrix(random_rotation(random));
  const auto lowest = [&](const Vec3& n) {
    return support_value(h.corner.body, -transpose_times(turned, n));
  };
  for (double& d : h.depth) d = 0.3 * std::pow(10.0, random.uniform(-5.0, -1.5));
  const double y = lowest(h.wall[0]) - h.depth[0];
  const double x = (lowest(h.wall[1]) - h.depth[1] - h.wall[1].y * y) / h.wall[1].x;
  h.corner.pose = unchecked_pose({x, y, 0.0}, turned);
  return h;
}

// A body in a corner touches each of the walls that hold it, as deep as it is beyond the wall's
// plane. In an obtuse corner the way out of one wall may lead out of both.
TEST(MeshCorner, ContactsAreThoseOfEachWall) {
  Random random(45);
  int tried = 0, held = 0;
  for (int i = 0; i < test::effort(400); ++i) {
    const Held h = held_by_walls(random);
    const Shape mesh = Mesh(h.corner.mesh);
    const auto& wall = h.wall;
    const auto& depth = h.depth;
    std::vector<Manifold> out(16);
    const ContactsResult r = contacts(mesh, Pose(), h.corner.body, h.corner.pose, out);
    if (!(r.distance.distance > -0.1)) continue;
    ++tried;
    double found[2] = {};
    for (int k = 0; k < r.manifolds; ++k) {
      const Manifold& m = out[static_cast<std::size_t>(k)];
      for (int w = 0; w < 2; ++w) {
        if (!(norm(m.normal - wall[w]) < 1e-9)) continue;
        for (const ContactPoint& p : m.span()) found[w] = std::max(found[w], p.depth);
      }
    }
    for (int w = 0; w < 2; ++w) {
      const double along = -r.distance.distance * dot(r.distance.normal, wall[w]);
      EXPECT_LE(found[w], depth[w] + 2e-14) << i;
      if (!(along < depth[w] + 1e-9)) continue;
      ++held;
      EXPECT_NEAR(found[w], depth[w], 2e-14) << i;
    }
  }
  EXPECT_GT(tried, test::effort(400) / 2);
  EXPECT_GT(held, tried * 5 / 4);
}

// A step of a simulation searches for no way out where single triangles tell enough, and takes the
// lowest point over a triangle for the answer: its contacts are those of a question of its own that
// goes on to rounding, in corners and on grounds of many triangles.
TEST(MeshCorner, ContactsOfAStepAreThoseOfAQuestion) {
  constexpr double kSame = 1e-11;
  Random random(46);
  int touching = 0, several = 0;
  for (int i = 0; i < test::effort(600); ++i) {
    const Shape body = random.below(2) == 0 ? Shape(Box({0.5, 0.3, 0.4})) : random_hull(random, 8);
    const bool bumpy = i % 3 == 0;
    Corner c = i % 3 == 1 ? held_by_walls(random).corner : random_corner(random, i, body);
    if (bumpy) c.mesh = bumpy_ground(random);
    if (bumpy) {
      const Mat3 turned = to_matrix(random_rotation(random));
      const double low = -support_value(body, -transpose_times(turned, Vec3{0.0, 0.0, 1.0}));
      const double depth = random.uniform(0.0, 0.05);
      c.pose = unchecked_pose({random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), -low - depth},
                              turned);
    }
    const Shape mesh = Mesh(c.mesh);
    std::vector<Manifold> in_step, alone;
    ManifoldSink sink(in_step), other(alone);
    sink.in_step = true;
    QueryOptions options;
    options.margin = options.max_distance = 1e-3;
    options.tolerance = 0.0;
    const DistanceResult whole =
        find_contacts(mesh, Pose(), c.body, c.pose, other, options, nullptr).distance;
    options.tolerance = 1e-9;
    const DistanceResult step =
        find_contacts(mesh, Pose(), c.body, c.pose, sink, options, nullptr).distance;
    // A step that did search ends sooner, with a way out that is longer.
    if (step.distance < whole.distance - 1e-9) continue;
    if (other.count == 0 || !(whole.distance > -0.2) || whole.status != Status::converged) continue;
    ++touching;
    several += other.count > 1;
    ASSERT_EQ(sink.count, other.count) << i;
    for (int k = 0; k < sink.count; ++k) {
      const Manifold &x = sink.since(0)[static_cast<std::size_t>(k)],
                     &y = other.since(0)[static_cast<std::size_t>(k)];
      EXPECT_LT(norm(x.normal - y.normal), kSame) << i;
      ASSERT_EQ(x.count, y.count) << i;
      for (std::size_t j = 0; j < x.span().size(); ++j) {
        EXPECT_LT(norm(x.points[j].point_a - y.points[j].point_a), kSame) << i;
        EXPECT_NEAR(x.points[j].depth, y.points[j].depth, kSame) << i;
      }
    }
  }
  EXPECT_GT(touching, test::effort(600) / 4);
  EXPECT_GT(several, test::effort(600) / 40);
}

}  // namespace
}  // namespace tactus::detail
