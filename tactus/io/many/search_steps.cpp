#include "tactus/io/many/search_steps.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "tactus/bvh/search_observer.hpp"
#include "tactus/core.hpp"
#include "tactus/query.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::io {
namespace {

using Json = nlohmann::ordered_json;
using namespace detail::bvh;

Json row(const Vec3& v) { return {v.x, v.y, v.z}; }
Json row(const NodePair& pair) { return {pair.a, pair.b, pair.bound}; }

class SearchWriter : public SearchObserver {
 public:
  /// `frame`: of A, in which the boxes are told.
  explicit SearchWriter(const Pose& frame) : frame_(frame) {}

  void trees(const std::vector<NodeBox>& a, const std::vector<NodeBox>& b) override {
    trees_ = {{"a", boxes(a)}, {"b", boxes(b)}};
  }

  void step(const SearchStep& step) override {
    Json out{{"kind", to_string(step.act)}, {"nodes", row(step.pair)}};
    if (step.act == SearchAct::split)
      out["children"] = Json::array({row(step.children[0]), row(step.children[1])});
    if (step.triangle_a >= 0) {
      out["triangle_a"] = step.triangle_a;
      out["triangle_b"] = step.triangle_b;
    }
    out["lower"] = step.lower;
    out["upper"] = step.upper;
    out["open"] = step.open;
    out["effort"] = step.effort;
    steps_.push_back(std::move(out));
  }

  Json take_trees() { return std::move(trees_); }
  Json take_steps() { return std::move(steps_); }

 private:
  Json boxes(const std::vector<NodeBox>& nodes) const {
    Json list = Json::array();
    for (const NodeBox& node : nodes) {
      Json axes = Json::array();
      for (const Vec3& axis : node.axes.row) axes.push_back(row(frame_.direction_to_world(axis)));
      Json box{{"center", row(frame_.to_world(node.center))},
               {"axes", std::move(axes)},
               {"half", row(node.half)}};
      if (node.right == 0) {
        box["triangle"] = node.triangle;
      } else {
        box["children"] = {list.size() + 1, node.right};
      }
      list.push_back(std::move(box));
    }
    return list;
  }

  Pose frame_;
  Json trees_, steps_ = Json::array();
};

const Mesh& mesh_of(const Shape& shape, const char* name) {
  const auto* const mesh = std::get_if<Mesh>(&shape.geometry());
  if (mesh == nullptr) throw InvalidInput(name, "must be a mesh");
  return *mesh;
}

}  // namespace

nlohmann::ordered_json search_steps(const Shape& a, const Pose& pose_a, const Shape& b,
                                    const Pose& pose_b) {
  const MeshView view_a = detail::view_of(mesh_of(a, "a"));
  const MeshView view_b = detail::view_of(mesh_of(b, "b"));
  if (view_a.mesh.triangles.size() + view_b.mesh.triangles.size() > kMostSearchSteps)
    throw InvalidInput("a", "steps are told of at most " + std::to_string(kMostSearchSteps) +
                                " triangles of both meshes");
  QueryOptions options;
  options.signed_distance = false;
  const DistanceResult r = distance(a, pose_a, b, pose_b, options);
  // Asked as that query does: about A's position.
  const Pose near_a = detail::unchecked_pose({}, pose_a.rotation());
  const Pose near_b =
      detail::unchecked_pose(pose_b.position() - pose_a.position(), pose_b.rotation());
  SearchWriter writer(pose_a);
  const double tolerance = options.tolerance * std::max(view_a.tree.reach(), view_b.tree.reach());
  const MeshDistance found =
      observed_mesh_distance(view_a, near_a, view_b, near_b, {.absolute_error = tolerance}, writer);
  return {
      {"distance", r.distance},      {"lower", r.lower},           {"upper", r.upper},
      {"point_a", row(r.point_a)},   {"point_b", row(r.point_b)},  {"triangle_a", r.triangle_a},
      {"triangle_b", r.triangle_b},  {"surfaces", found.distance}, {"trees", writer.take_trees()},
      {"steps", writer.take_steps()}};
}

}  // namespace tactus::io
