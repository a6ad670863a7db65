#include "tactus/io/many/hash_steps.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "tactus/ccd/hash_observer.hpp"
#include "tactus/core.hpp"

namespace tactus::io {
namespace {

using Json = nlohmann::ordered_json;
using detail::HashEnd;
using detail::MovingHash;
using Index = std::uint32_t;

class HashWriter : public detail::HashObserver {
 public:
  void table(Kind kind, const MovingHash& hash, std::span<const Index> faces) override {
    Json list = Json::array();
    for (Index i = 0; i < faces.size(); ++i) {
      const MovingHash::Range& range = hash.range(i);
      list.push_back({{"face", faces[i]}, {"low", range.low}, {"high", range.high}});
    }
    const Vec3& o = hash.origin();
    steps_.push_back({{"kind", "table"},
                      {"of", kind == Kind::vertex_face ? "b" : "a"},
                      {"cell", hash.cell()},
                      {"origin", {o.x, o.y, o.z}},
                      {"places", hash.places()},
                      {"faces", std::move(list)}});
  }
  void way(Index vertex, std::span<const MovingHash::Cell> cells) override {
    steps_.push_back({{"kind", "way"}, {"vertex", vertex}, {"cells", cells}});
  }
  void found(Index vertex, Index face, const MovingHash::Cell& cell, HashEnd end) override {
    steps_.push_back({{"kind", "found"},
                      {"vertex", vertex},
                      {"face", face},
                      {"cell", cell},
                      {"end", to_string(end)}});
  }
  void answered(Index vertex, Index face, const ccd::CcdResult& r) override {
    Json step{{"kind", "answer"}, {"vertex", vertex}, {"face", face}, {"hit", r.hit}};
    if (r.hit) step["time"] = r.time;
    steps_.push_back(std::move(step));
  }

  Json take() { return std::move(steps_); }

 private:
  Json steps_ = Json::array();
};

}  // namespace

nlohmann::ordered_json hash_steps(const ccd::MovingSurface& a, const ccd::MovingSurface& b) {
  if (a.triangles.size() + b.triangles.size() > kMostHashSteps)
    throw InvalidInput("a.triangles", "steps are told of at most " +
                                          std::to_string(kMostHashSteps) + " of both surfaces");
  HashWriter writer;
  const ccd::SurfaceImpacts found = detail::observed_impacts(a, b, {}, writer);
  Json impacts = Json::array();
  for (const ccd::SurfaceImpact& impact : found.impacts) {
    Json one{{"kind", to_string(impact.kind)}, {"a", impact.a}, {"b", impact.b}};
    if (impact.kind == ccd::SurfaceImpact::Kind::edge_edge) {
      one["other_a"] = impact.other_a;
      one["other_b"] = impact.other_b;
    }
    one["time"] = impact.contact.time;
    impacts.push_back(std::move(one));
  }
  return {{"impacts", std::move(impacts)},
          {"hash",
           {{"found", found.hash.found},
            {"collisions", found.hash.collisions},
            {"boxes", found.hash.boxes},
            {"paths", found.hash.paths}}},
          {"steps", writer.take()}};
}

}  // namespace tactus::io
