#include <algorithm>
#include <array>

#include "bench/peers/pairs.hpp"
#include "tactus/query.hpp"

namespace tactus::detail::bench {
namespace {

/// The public facade with its full result; `warm` passes a cache from each pair to the next.
class Ours final : public Peer {
 public:
  explicit Ours(bool warm) : warm_(warm) {}
  std::string name() const override { return warm_ ? "Tactus, warm" : "Tactus"; }

  bool prepare(const PairSet& set) override {
    set_ = &set;
    return true;
  }

  void answer(std::span<double> out) override {
    QueryCache storage;
    QueryCache* cache = warm_ ? &storage : nullptr;
    std::array<Manifold, 1> patch;  // the caller's own, as the contacts of the other libraries
    for (std::size_t i = 0; i < out.size(); ++i) {
      const PairSet::Pair& p = set_->pairs[i];
      const Shape& a = set_->shapes[p.a];
      const Shape& b = set_->shapes[p.b];
      if (set_->question == Question::overlap) {
        out[i] = overlap(a, p.pose_a, b, p.pose_b, {}, cache).overlap == Overlap::no ? 0.0 : 1.0;
      } else if (set_->question == Question::contacts) {
        patch[0].count = 0;
        contacts(a, p.pose_a, b, p.pose_b, patch, {}, cache);
        const auto& points = patch[0].points;
        out[i] = 0.0;
        for (int k = 0; k < patch[0].count; ++k)
          out[i] = std::max(out[i], points[static_cast<std::size_t>(k)].depth);
      } else {
        const double d = distance(a, p.pose_a, b, p.pose_b, {}, cache).distance;
        out[i] = set_->question == Question::depth ? -d : d;
      }
    }
  }

 private:
  const PairSet* set_ = nullptr;
  bool warm_;
};

}  // namespace

std::unique_ptr<Peer> make_ours(bool warm) { return std::make_unique<Ours>(warm); }

}  // namespace tactus::detail::bench
