#include "tactus/io/many/hull_steps.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/mesh/hull/hull_observer.hpp"
#include "tactus/mesh/hull/quickhull.hpp"

namespace tactus::io {
namespace {

using Json = nlohmann::ordered_json;
using detail::HullSurface;
using detail::kNoIndex;
using detail::Quickhull;
using Index = std::uint32_t;

Json corners_of(const HullSurface& surface, std::span<const Index> triangles) {
  Json out = Json::array();
  for (const Index t : triangles) out.push_back(surface[t].corner);
  return out;
}

class HullWriter : public detail::HullObserver {
 public:
  void begin(const Quickhull& hull) override { add_surface({{"kind", "start"}}, hull); }

  void found(const Quickhull& hull, Index start, Index point) override {
    const HullSurface& surface = hull.surface();
    Json horizon = Json::array();
    for (const HullSurface::RimEdge& edge : surface.rim())
      horizon.push_back({edge.tail, edge.head});
    steps_.push_back({{"kind", "point"},
                      {"point", point},
                      {"face", surface[start].corner},
                      {"seen", corners_of(surface, surface.visible())},
                      {"horizon", std::move(horizon)}});
  }

  void grown(const Quickhull& hull, Index point) override {
    add_surface({{"kind", "cone"},
                 {"point", point},
                 {"new", corners_of(hull.surface(), hull.surface().cone())}},
                hull);
  }

  void order(std::span<const Index> points) override {
    steps_.push_back({{"kind", "order"}, {"order", points}});
  }

  void chain(const detail::ChainStep& step) override {
    const auto kept = static_cast<std::ptrdiff_t>(step.chain.size()) - 1;
    const std::vector<Index> left(chain_.begin() + kept, chain_.end());
    chain_.assign(step.chain.begin(), step.chain.end());
    steps_.push_back({{"kind", "chain"},
                      {"upper", step.upper},
                      {"point", step.point},
                      {"removed", left},
                      {"chain", chain_}});
  }

  Json take() { return std::move(steps_); }

 private:
  // With all faces, and the points that wait at each.
  void add_surface(Json step, const Quickhull& hull) {
    const HullSurface& surface = hull.surface();
    Json faces = Json::array(), waiting = Json::array();
    for (Index t = 0; t < surface.slots(); ++t) {
      if (!surface.alive(t)) continue;
      faces.push_back(surface[t].corner);
      Json list = Json::array();
      for (Index p = hull.first_waiting(t); p != kNoIndex; p = hull.next_waiting(p))
        list.push_back(p);
      waiting.push_back(std::move(list));
    }
    step["faces"] = std::move(faces);
    step["waiting"] = std::move(waiting);
    steps_.push_back(std::move(step));
  }

  Json steps_ = Json::array();
  std::vector<Index> chain_;
};

}  // namespace

nlohmann::ordered_json hull_steps(std::span<const Vec3> points) {
  if (points.size() > kMostHullSteps)
    throw InvalidInput("points", "steps are told of at most " + std::to_string(kMostHullSteps));
  HullWriter writer;
  ConvexHull hull;
  try {
    hull = detail::observed_hull(points, writer);
  } catch (const InvalidInput& error) {
    throw InvalidInput("points", error.reason());
  }
  Json faces = Json::array();
  for (const ConvexHull::Face& face : hull.faces) {
    Json corners = Json::array();
    for (const Index i : hull.corners(face)) corners.push_back(hull.source[i]);
    faces.push_back(std::move(corners));
  }
  return {{"dimension", hull.dimension},
          {"vertices", hull.source},
          {"faces", std::move(faces)},
          {"steps", writer.take()}};
}

}  // namespace tactus::io
