#include "fuzz/iteration_histogram.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tactus::detail::fuzz {
namespace {

// Largest number of iterations of each bin but the last.
constexpr std::array<std::int32_t, IterationHistogram::kBins - 1> kEnds = {1,  5,   10, 20,
                                                                           50, 100, 200};

}  // namespace

void IterationHistogram::add(std::int32_t iterations, std::uint64_t index) {
  const auto bin = std::lower_bound(kEnds.begin(), kEnds.end(), iterations) - kEnds.begin();
  ++counts_[static_cast<std::size_t>(bin)];
  if (iterations > most_) {
    most_ = iterations;
    most_index_ = index;
  }
}

IterationHistogram& IterationHistogram::operator+=(const IterationHistogram& other) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  if (other.most_ > most_) {
    most_ = other.most_;
    most_index_ = other.most_index_;
  }
  return *this;
}

std::string IterationHistogram::bin_name(int bin) {
  if (bin == kBins - 1) return ">" + std::to_string(kEnds.back());
  return "<=" + std::to_string(kEnds[static_cast<std::size_t>(bin)]);
}

nlohmann::json IterationHistogram::to_json() const {
  return {{"counts", counts_}, {"most", most_}, {"most_index", most_index_}};
}

IterationHistogram IterationHistogram::from_json(const nlohmann::json& value) {
  IterationHistogram h;
  value.at("counts").get_to(h.counts_);
  value.at("most").get_to(h.most_);
  value.at("most_index").get_to(h.most_index_);
  return h;
}

}  // namespace tactus::detail::fuzz
