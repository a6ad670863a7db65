#include "tactus/soft/model/elements.hpp"

#include <cmath>

namespace tactus::detail {

double TetrahedronElement::energy(std::span<const Vec3> x) const {
  const Vec3 a = x[vertices[0]];
  const Vec3 b = x[vertices[1]] - a, c = x[vertices[2]] - a, d = x[vertices[3]] - a;
  const double j = dot(cross(b, c), d) / (6.0 * volume);
  // |F|^2 from the edges at the first corner: the gradients' sum is zero.
  const double squares =
      (gram[1][1] * squared_norm(b) + gram[2][2] * squared_norm(c)) + gram[3][3] * squared_norm(d);
  const double products =
      (gram[1][2] * dot(b, c) + gram[1][3] * dot(b, d)) + gram[2][3] * dot(c, d);
  const double norm_f = squares + 2.0 * products;
  const double over = j - alpha, at_rest = 1.0 - alpha;
  return volume * (0.5 * mu * (norm_f - 3.0) + 0.5 * lambda * (over * over - at_rest * at_rest));
}

void TieElement::add(int corner, std::span<const Vec3> x, double rate, double before,
                     LocalModel& model) const {
  const double c = weights[static_cast<std::size_t>(corner)];
  const Vec3 e = sum(x);
  if (rest == 0.0 && rate == 0.0) {
    model.gradient += e * (c * stiffness);
    model.add_diagonal(c * c * stiffness);
    return;
  }
  const double length = norm(e);
  if (!(length > 0.0)) {
    model.add_diagonal(c * c * stiffness);
    return;
  }
  const Vec3 n = e / length;
  model.gradient += n * (c * (stiffness * (length - rest) + rate * (length - before)));
  // Across its direction a pressed spring pushes away; left out, the model stays convex.
  const double across = stiffness * std::fmax(0.0, 1.0 - rest / length);
  model.add_outer(n, c * c * (stiffness + rate - across));
  model.add_diagonal(c * c * across);
}

}  // namespace tactus::detail
