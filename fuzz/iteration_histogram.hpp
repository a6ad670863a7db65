#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tactus::detail::fuzz {

/// How many queries took how many support evaluations.
class IterationHistogram {
 public:
  static constexpr int kBins = 8;

  /// `index` names the query.
  void add(std::int32_t iterations, std::uint64_t index);
  IterationHistogram& operator+=(const IterationHistogram& other);

  /// `<=1`, `<=5`, ..., `>200`.
  static std::string bin_name(int bin);
  const std::array<std::uint64_t, kBins>& counts() const { return counts_; }
  std::int32_t most() const { return most_; }
  std::uint64_t most_index() const { return most_index_; }  ///< the query that took the most

  nlohmann::json to_json() const;
  /// Throws nlohmann::json::exception for what `to_json` did not write.
  static IterationHistogram from_json(const nlohmann::json& value);

 private:
  std::array<std::uint64_t, kBins> counts_{};
  std::int32_t most_ = 0;
  std::uint64_t most_index_ = 0;
};

}  // namespace tactus::detail::fuzz
