#include "tactus/io/many/sweep_steps.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tactus/broad/sweep_observer.hpp"
#include "tactus/core.hpp"

namespace tactus::io {
namespace {

using Json = nlohmann::ordered_json;

class SweepWriter : public detail::SweepObserver {
 public:
  void axis(int axis, const std::array<double, 3>& variance, bool kept) override {
    steps_.push_back({{"kind", "axis"}, {"axis", axis}, {"variance", variance}, {"kept", kept}});
  }
  void moved(std::uint64_t id, std::size_t from, std::size_t to) override {
    steps_.push_back({{"kind", "move"}, {"box", id}, {"from", from}, {"to", to}});
  }
  void sorted(std::span<const std::uint64_t> ids) override {
    steps_.push_back({{"kind", "order"}, {"order", ids}});
  }
  void reached(std::uint64_t id) override { steps_.push_back({{"kind", "reach"}, {"box", id}}); }
  void compared(std::uint64_t id, std::uint64_t other, bool meet) override {
    steps_.push_back({{"kind", "compare"}, {"box", id}, {"other", other}, {"meet", meet}});
  }
  void passed(std::uint64_t id, std::uint64_t other) override {
    steps_.push_back({{"kind", "pass"}, {"box", id}, {"other", other}});
  }

  Json take() { return std::move(steps_); }

 private:
  Json steps_ = Json::array();
};

std::vector<BroadEntry> entries_of(std::span<const Aabb> boxes, const char* name) {
  if (boxes.size() > kMostSweepSteps)
    throw InvalidInput(name, "steps are told of at most " + std::to_string(kMostSweepSteps));
  std::vector<BroadEntry> entries;
  for (const Aabb& box : boxes) entries.push_back({entries.size(), box});
  return entries;
}

}  // namespace

nlohmann::ordered_json sweep_steps(std::span<const Aabb> boxes, std::span<const Aabb> before) {
  detail::ObservedSweep sweep;
  detail::SweepObserver nobody;
  std::vector<BroadPair> pairs;
  if (!before.empty()) sweep.find_pairs(entries_of(before, "before"), pairs, nobody);
  SweepWriter writer;
  sweep.find_pairs(entries_of(boxes, "boxes"), pairs, writer);
  Json found = Json::array();
  for (const BroadPair& pair : pairs) found.push_back({pair.a, pair.b});
  return {{"pairs", std::move(found)}, {"steps", writer.take()}};
}

}  // namespace tactus::io
