#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tactus::detail {

/// Cholesky's factors of a symmetric positive definite matrix whose rows start at a first column of
/// their own; what lies before it is zero, in the factor too. Cost: linear in the rows, square in
/// their lengths. Source: george1981sparse, chapter 4.
class EnvelopeCholesky {
 public:
  /// Starts a matrix of zeros; `first[i] <= i` is the first column of row i.
  void start(std::span<const std::uint32_t> first);
  std::size_t size() const { return first_.size(); }
  std::uint32_t first(std::size_t row) const { return first_[row]; }
  /// Entry of the lower triangle, `first(row) <= column <= row`.
  double& at(std::size_t row, std::size_t column) { return entries_[start_[row] + column]; }
  double at(std::size_t row, std::size_t column) const { return entries_[start_[row] + column]; }
  /// Replaces the matrix by its factor. A pivot that rounding has made negative is taken as the
  /// entry before elimination: its row then changes nothing that follows.
  void factor();
  /// After `factor`: replaces the right side by the solution.
  void solve(std::span<double> x) const;

 private:
  std::vector<std::uint32_t> first_;
  std::vector<std::size_t> start_;  ///< where column 0 of the row would be
  std::vector<double> entries_;
};

}  // namespace tactus::detail
