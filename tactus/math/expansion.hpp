#pragma once

#include <array>
#include <cmath>

/// Exact arithmetic on sums of doubles, the ground under the geometric predicates.
/// Source: shewchuk1997predicates, sections 2.3 to 2.5 (own implementation). Needs rounding to
/// nearest even, no contraction into FMA, and results that neither overflow nor underflow.
namespace tactus::detail {

/// An exact value as `high` (the rounded result) plus `low` (its rounding error).
struct TwoTerms {
  double high, low;
};

/// a + b.
inline TwoTerms two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double a_part = sum - b_part;
  return {sum, (a - a_part) + (b - b_part)};
}

/// a - b.
inline TwoTerms two_difference(double a, double b) { return two_sum(a, -b); }

/// a as two halves of 26 bits, whose products are exact.
inline TwoTerms split(double a) {
  const double shifted = 134217729.0 * a;  // 2^27 + 1
  const double high = shifted - (shifted - a);
  return {high, a - high};
}

/// a * b (after T. J. Dekker).
inline TwoTerms two_product(double a, double b) {
  const double product = a * b;
  const TwoTerms x = split(a);
  const TwoTerms y = split(b);
  const double error = ((product - x.high * y.high) - x.low * y.high) - x.high * y.low;
  return {product, x.low * y.low - error};
}

/// A sum of at most `Capacity` doubles that do not overlap, by increasing magnitude and without
/// zeros: the last one carries the sign. No term stands for zero.
template <int Capacity>
struct Expansion {
  std::array<double, Capacity> term;  // only the first `size` are set
  int size = 0;

  Expansion() {}  // NOLINT(modernize-use-equals-default): leaves the terms unset on purpose
  // Only the terms that are set.
  Expansion(const Expansion& other) { *this = other; }
  Expansion& operator=(const Expansion& other) {
    size = other.size;
    for (int i = 0; i < size; ++i) term[static_cast<std::size_t>(i)] = other[i];
    return *this;
  }
  explicit Expansion(const TwoTerms& value) {
    static_assert(Capacity >= 2);
    append(value.low);
    append(value.high);
  }

  void append(double value) {
    if (value != 0.0) term[static_cast<std::size_t>(size++)] = value;
  }
  double operator[](int i) const { return term[static_cast<std::size_t>(i)]; }

  int sign() const {
    return size == 0 ? 0 : (term[static_cast<std::size_t>(size - 1)] > 0.0 ? 1 : -1);
  }

  /// The value as one double, off by less than one unit in its last place.
  double estimate() const {
    double sum = 0.0;
    for (int i = 0; i < size; ++i) sum += (*this)[i];
    return sum;
  }
};

/// e + f, with room for `Result` terms.
template <int Result, int M, int N>
Expansion<Result> sum(const Expansion<M>& e, const Expansion<N>& f) {
  Expansion<Result> result;
  int i = 0, j = 0;
  const auto smallest = [&] {
    const bool from_e = j == f.size || (i < e.size && std::fabs(e[i]) < std::fabs(f[j]));
    return from_e ? e[i++] : f[j++];
  };
  if (e.size + f.size == 0) return result;
  double carry = smallest();
  while (i < e.size || j < f.size) {
    const TwoTerms next = two_sum(carry, smallest());
    result.append(next.low);
    carry = next.high;
  }
  result.append(carry);
  return result;
}

template <int M, int N>
Expansion<M + N> operator+(const Expansion<M>& e, const Expansion<N>& f) {
  return sum<M + N>(e, f);
}

template <int M, int N>
Expansion<M + N> operator-(const Expansion<M>& e, const Expansion<N>& f) {
  Expansion<N> negated = f;
  for (int i = 0; i < f.size; ++i) negated.term[static_cast<std::size_t>(i)] = -f[i];
  return sum<M + N>(e, negated);
}

template <int M>
Expansion<2 * M> operator*(const Expansion<M>& e, double factor) {
  Expansion<2 * M> result;
  if (e.size == 0) return result;
  TwoTerms carry = two_product(e[0], factor);
  result.append(carry.low);
  for (int i = 1; i < e.size; ++i) {
    const TwoTerms product = two_product(e[i], factor);
    const TwoTerms low = two_sum(carry.high, product.low);
    result.append(low.low);
    carry = two_sum(product.high, low.high);
    result.append(carry.low);
  }
  result.append(carry.high);
  return result;
}

template <int M, int N>
Expansion<2 * M * N> operator*(const Expansion<M>& e, const Expansion<N>& f) {
  Expansion<2 * M * N> result;
  for (int i = 0; i < f.size; ++i) result = sum<2 * M * N>(result, e * f[i]);
  return result;
}

}  // namespace tactus::detail
