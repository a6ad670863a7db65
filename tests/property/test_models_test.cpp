// Other people's meshes: every file of Debian's assimp-testmodels is read or refused by name, and
// what was read is cleaned, bounded and asked, with answers that hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/bvh/point_query.hpp"
#include "tactus/check.hpp"
#include "tactus/core.hpp"
#include "tactus/core/random.hpp"
#include "tactus/fit.hpp"
#include "tactus/io.hpp"
#include "tactus/mesh.hpp"
#include "tactus/mesh/surface/clean_mesh.hpp"
#include "tactus/mesh/surface/topology.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"
#include "tactus/query.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/folder.hpp"

// assimp forgets memory on some of the files; that is not ours to judge.
// NOLINTBEGIN(*-reserved-identifier,readability-identifier-naming): the sanitizer asks for the name
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libassimp\n"; }
// NOLINTEND(*-reserved-identifier,readability-identifier-naming)

namespace tactus::detail {
namespace {

// Error allowed of distances of triangles, relative to size and place: twenty roundings.
constexpr double kRounding = 4e-15;

namespace fs = std::filesystem;

const fs::path kModels = "/usr/share/assimp/models";
// Files up to this size are read, meshes up to so many triangles asked, pairs of triangles up to
// this number measured one by one; each times the effort.
constexpr int kBytes = 10'000'000, kTriangles = 50'000, kPairs = 100'000;

std::vector<fs::path> files() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(kModels)) {
    if (entry.is_regular_file() &&
        entry.file_size() <= static_cast<std::uintmax_t>(test::effort(kBytes)))
      found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// The extensions that tactus::io reads itself, in full precision.
bool is_own(const fs::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr std::array<std::string_view, 6> kOwn = {".obj", ".stl",  ".ply",
                                                    ".off", ".gltf", ".glb"};
  return std::find(kOwn.begin(), kOwn.end(), extension) != kOwn.end();
}

/// One mesh, and what is asked of it. Lengths are compared relative to its size.
class Questions {
 public:
  explicit Questions(const TriangleMesh& mesh) : mesh_(mesh), tree_(mesh) {
    low_ = high_ = mesh.vertices[mesh.triangles[0][0]];
    for (const auto& t : mesh.triangles) {
      for (const std::uint32_t index : t) {
        low_ = component_min(low_, mesh.vertices[index]);
        high_ = component_max(high_, mesh.vertices[index]);
      }
    }
    size_ = norm(high_ - low_);
  }

  void ask_all() {
    clean();
    enclose();
    measure_copies();
    ask_points();
    ask_shapes();
  }

 private:
  bvh::MeshView view() const { return {mesh_, tree_}; }

  Vec3 random_point(double beyond) {
    const auto at = [&](double low, double high) {
      return low + (high - low) * random_.uniform(-beyond, 1.0 + beyond);
    };
    const double x = at(low_.x, high_.x), y = at(low_.y, high_.y);
    return {x, y, at(low_.z, high_.z)};
  }

  void clean() {
    const MeshTopology topology = make_topology(mesh_);
    EXPECT_EQ(topology.sides.size(), 3 * mesh_.triangles.size());
    TriangleMesh mesh = mesh_;
    const CleanReport report = clean_mesh(mesh);
    EXPECT_EQ(mesh.triangles.size() + report.degenerate_triangles + report.duplicate_triangles,
              mesh_.triangles.size());
    orient_mesh(mesh);
    EXPECT_FALSE(clean_mesh(mesh).changed());
    if (mesh.triangles.empty()) return;
    EXPECT_FALSE(orient_mesh(mesh).changed());
    validate(mesh);
  }

  void enclose() const {
    const ConvexHull hull = convex_hull(mesh_.vertices);
    if (hull.dimension == 3) {
      const HullCheck check = check_hull(mesh_.vertices, hull);
      EXPECT_TRUE(check.ok()) << check.problem;
      EXPECT_EQ(check.outside, 0u);
    }
    for (const OrientedBox& box :
         {box_of_points(mesh_.vertices), box_of_hull_vertices(mesh_.vertices, hull),
          box_of_hull_surface(mesh_.vertices, hull)}) {
      double outside = 0.0;
      for (const Vec3& v : mesh_.vertices) {
        for (int i = 0; i < 3; ++i)
          outside =
              std::max(outside, std::fabs(dot(box.axes.row[i], v - box.center)) - box.half[i]);
      }
      EXPECT_LE(outside, 0.0) << to_string(box.method);
    }
  }

  // Beside itself, touching itself and through itself.
  void measure_copies() {
    const std::size_t count = mesh_.triangles.size();
    const bool small = count * count <= static_cast<std::size_t>(test::effort(kPairs));
    bvh::MeshFront front;
    for (const double shift : {1.5, 1.0, 0.4}) {
      const Vec3 motion = (high_ - low_) * shift + Vec3{0.01, -0.02, 0.03} * size_;
      const Pose there(motion, normalized(Quat{1.0, 0.02, -0.03, 0.01}));
      const bvh::MeshDistance d = bvh::mesh_distance(view(), Pose(), view(), there);
      expect_bracket(d);
      const bvh::MeshDistance warm = bvh::mesh_distance(view(), Pose(), view(), there, front);
      expect_bracket(warm);
      EXPECT_NEAR(warm.distance, d.distance, kRounding * reach(motion));
      EXPECT_EQ(warm.meets, d.meets);
      if (!small) continue;
      bvh::MeshDistanceOptions naive;
      naive.strategy = bvh::Strategy::naive;
      const bvh::MeshDistance all = bvh::mesh_distance(view(), Pose(), view(), there, naive);
      EXPECT_NEAR(d.distance, all.distance, kRounding * reach(motion));
      EXPECT_EQ(d.meets, all.meets);
    }
  }

  double reach(const Vec3& place) const {
    return size_ + norm(place) + max_abs(low_) + max_abs(high_);
  }

  static void expect_bracket(const bvh::MeshDistance& d) {
    EXPECT_TRUE(std::isfinite(d.distance));
    EXPECT_LE(d.lower, d.distance);
    EXPECT_GE(d.upper, d.distance);
    EXPECT_GE(d.lower, 0.0);
    EXPECT_TRUE(is_finite(d.point_a) && is_finite(d.point_b) && is_finite(d.normal));
  }

  void ask_points() {
    const bool small = mesh_.triangles.size() <= static_cast<std::size_t>(test::effort(20'000));
    for (int trial = 0; trial < 4; ++trial) {
      const Vec3 p = random_point(0.3);
      const bvh::SurfacePoint nearest = bvh::nearest_point(view(), p);
      EXPECT_NEAR(norm(nearest.point - p), nearest.distance, kRounding * reach(p));
      bvh::winding_at(view(), p);
      if (!small) continue;
      double least = std::numeric_limits<double>::infinity();
      for (const auto& t : mesh_.triangles) {
        const Triangle triangle{
            {mesh_.vertices[t[0]] - p, mesh_.vertices[t[1]] - p, mesh_.vertices[t[2]] - p}};
        least = std::min(least, point_to_triangle({}, triangle).distance);
      }
      EXPECT_NEAR(nearest.distance, least, kRounding * reach(p));
    }
    if (make_topology(mesh_).closed()) {
      EXPECT_EQ(bvh::winding_at(view(), high_ + Vec3{size_, size_, size_}).number, 0);
    }
  }

  void ask_shapes() {
    const Shape mesh = Mesh(mesh_);
    const Shape ball = Sphere(0.1 * size_), brick = Box({0.1 * size_, 0.2 * size_, 0.3 * size_});
    const Pose turned(Vec3{}, normalized(Quat{0.8, 0.1, 0.5, 0.3}));
    for (int trial = 0; trial < 4; ++trial) {
      const Shape& other = trial % 2 == 0 ? ball : brick;
      const Pose pose = detail::unchecked_pose(random_point(0.5), turned.rotation());
      // The distance of an open model has no sign; contacts tell what separates it.
      const bool closed = std::get<Mesh>(mesh.geometry()).closed();
      Certificate certificate;
      QueryOptions options;
      options.certificate = &certificate;
      options.signed_distance = closed;
      const DistanceResult d = distance(mesh, Pose(), other, pose, options);
      EXPECT_TRUE(std::isfinite(d.distance)) << to_string(d.status);
      EXPECT_LE(d.lower, d.distance);
      EXPECT_GE(d.upper, d.distance);
      Manifold manifolds[32];
      const ContactsResult touch = contacts(mesh, Pose(), other, pose, manifolds);
      const bool met = !closed && !(d.lower > 0.0);
      const CheckReport report = check(mesh, Pose(), other, pose, d, &certificate);
      EXPECT_FALSE(report.refuted()) << report.failure;
      if (!met) {
        EXPECT_EQ(report[Claim::lower], Proof::proved) << report.failure;
      }
      EXPECT_LE(touch.distance.lower, d.upper);
      if (!met) {
        EXPECT_GE(touch.distance.upper, d.lower);
      }
      if (d.lower > 0.0) {
        EXPECT_EQ(touch.manifolds, 0);
      }
      const CastResult way =
          cast(mesh, Pose(), {}, other, pose, (low_ + high_) * 0.5 - pose.position());
      EXPECT_LE(way.time, way.time_upper);
      shoot(mesh);
    }
  }

  // At the middle of a triangle: nothing but the surface itself can be in the way.
  void shoot(const Shape& mesh) {
    const auto& t =
        mesh_.triangles[random_.below(static_cast<std::uint32_t>(mesh_.triangles.size()))];
    const Vec3 aim = (mesh_.vertices[t[0]] + mesh_.vertices[t[1]] + mesh_.vertices[t[2]]) / 3.0;
    const Vec3 normal = cross(mesh_.vertices[t[1]] - mesh_.vertices[t[0]],
                              mesh_.vertices[t[2]] - mesh_.vertices[t[0]]);
    const Vec3 from = random_point(1.0);
    const CastResult hit = ray_cast(mesh, Pose(), from, aim - from, 2.0);
    EXPECT_LE(hit.time, hit.time_upper);
    // Seen edge-on it may be passed.
    if (std::fabs(dot(normal, aim - from)) <= 1e-3 * norm(normal) * norm(aim - from)) return;
    EXPECT_NE(hit.hit, Overlap::no);
    EXPECT_LE(hit.time, 1.0 + 1e-9);
  }

  const TriangleMesh& mesh_;
  bvh::Hierarchy<bvh::OrientedBox> tree_;
  Vec3 low_, high_;
  double size_ = 0.0;
  Random random_{7, 8};
};

TEST(TestModels, AreReadOrRefusedAndAnswer) {
  if (!fs::exists(kModels)) GTEST_SKIP() << "Debian's assimp-testmodels is not installed";
  int read = 0, own = 0, refused = 0;
  for (const fs::path& file : files()) {
    SCOPED_TRACE(file.string());
    TriangleMesh mesh;
    try {
      mesh = io::read_mesh(file);
    } catch (const FileError& error) {
      EXPECT_EQ(std::string(error.what()).find(file.string()), 0u) << error.what();
      ++refused;
      continue;
    }
    validate(mesh);
    ++read;
    own += is_own(file) ? 1 : 0;
    if (mesh.triangles.size() <= static_cast<std::size_t>(test::effort(kTriangles)))
      Questions(mesh).ask_all();
  }
  EXPECT_GE(own, 30);
  EXPECT_GE(refused, 8);
  // Without assimp, only our own formats.
  if (read > own) {
    EXPECT_GE(read, 250);
  }
}

// A file that ends early is a smaller mesh or no mesh.
TEST(TestModels, MayEndEarly) {
  if (!fs::exists(kModels)) GTEST_SKIP() << "Debian's assimp-testmodels is not installed";
  const test::TemporaryFolder folder;
  Random random(9, 10);
  for (const fs::path& file : files()) {
    if (!is_own(file) || fs::file_size(file) == 0) continue;
    std::ostringstream content;
    content << std::ifstream(file, std::ios::binary).rdbuf();
    const std::string bytes = content.str();
    for (int trial = 0; trial < test::effort(20); ++trial) {
      const std::size_t length = random.below(static_cast<std::uint32_t>(bytes.size()));
      const fs::path cut = folder / ("cut" + file.extension().string());
      std::ofstream(cut, std::ios::binary) << bytes.substr(0, length);
      try {
        validate(io::read_mesh(cut));
      } catch (const FileError& error) {
        EXPECT_EQ(std::string(error.what()).find(cut.string()), 0u) << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace tactus::detail
