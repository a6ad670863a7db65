#include "tactus/rigid/joint/envelope_cholesky.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {

void EnvelopeCholesky::start(std::span<const std::uint32_t> first) {
  first_.assign(first.begin(), first.end());
  start_.resize(first.size());
  std::size_t end = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    // Unsigned: may wrap, and comes back with the column.
    start_[i] = end - first_[i];
    end += i + 1 - first_[i];
  }
  entries_.assign(end, 0.0);
}

void EnvelopeCholesky::factor() {
  for (std::size_t i = 0; i < size(); ++i) {
    double pivot = at(i, i);
    for (std::size_t j = first_[i]; j < i; ++j) {
      double sum = at(i, j);
      for (std::size_t k = std::max(first_[i], first_[j]); k < j; ++k) sum -= at(i, k) * at(j, k);
      const double entry = sum / at(j, j);
      at(i, j) = entry;
      pivot -= entry * entry;
    }
    if (!(pivot > 0.0)) {
      pivot = at(i, i);
      for (std::size_t j = first_[i]; j < i; ++j) at(i, j) = 0.0;
    }
    at(i, i) = std::sqrt(pivot);
  }
}

void EnvelopeCholesky::solve(std::span<double> x) const {
  for (std::size_t i = 0; i < size(); ++i) {
    double sum = x[i];
    for (std::size_t j = first_[i]; j < i; ++j) sum -= at(i, j) * x[j];
    x[i] = sum / at(i, i);
  }
  for (std::size_t i = size(); i-- > 0;) {
    x[i] /= at(i, i);
    for (std::size_t j = first_[i]; j < i; ++j) x[j] -= at(i, j) * x[i];
  }
}

}  // namespace tactus::detail
