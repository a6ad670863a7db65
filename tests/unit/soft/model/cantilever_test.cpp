#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "tactus/deform.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A beam along x, held at its lower end; as the library makes it, and for a dense solution.
struct Beam {
  TetrahedralMesh mesh;
  DeformableMaterial material;
  std::vector<std::uint32_t> fixed;
  std::vector<int> row;  ///< of the first unknown of each vertex; -1 where it is held
  int unknowns = 0;

  Beam(const Vec3& size, const std::array<int, 3>& cells, double poisson) {
    mesh = tetrahedral_box(size, cells);
    material.young = 1e6;
    material.poisson = poisson;
    material.density = 1000.0;
    for (std::uint32_t i = 0; i < mesh.vertices.size(); ++i) {
      const bool held = mesh.vertices[i].x < -0.5 * size.x + 1e-9;
      if (held) fixed.push_back(i);
      row.push_back(held ? -1 : unknowns);
      unknowns += held ? 0 : 3;
    }
  }
};

/// Dense Newton's method on elastic energy and gravity: written from the formulas of the continuum,
/// with the 9 x 9 derivative of the first Piola-Kirchhoff stress.
class DenseBeam {
 public:
  DenseBeam(const Beam& beam, const Vec3& gravity) : beam_(beam), gravity_(gravity) {
    const double e = beam.material.young, nu = beam.material.poisson;
    mu_ = e / (2.0 * (1.0 + nu));
    lame_ = e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    lambda_ = lame_ + mu_;
    alpha_ = 1.0 + mu_ / lambda_;
    for (const auto& t : beam.mesh.tetrahedra) {
      const Matrix3d dm = edges(t, beam.mesh.vertices);
      inverse_.push_back(dm.inverse());
      volume_.push_back(dm.determinant() / 6.0);
    }
  }

  std::vector<Vec3> solve(int steps) {
    std::vector<Vec3> x = beam_.mesh.vertices;
    for (int k = 0; k < steps; ++k) {
      const VectorXd move = hessian(x).ldlt().solve(-gradient(x));
      add(move, x);
      if (move.norm() < 1e-13) break;
    }
    return x;
  }
  /// One step from the rest: Hooke's law.
  std::vector<Vec3> linear() { return solve(1); }

 private:
  static Eigen::Vector3d at(const Vec3& v) { return {v.x, v.y, v.z}; }
  static Matrix3d edges(const std::array<std::uint32_t, 4>& t, const std::vector<Vec3>& x) {
    Matrix3d m;
    for (int k = 0; k < 3; ++k) m.col(k) = at(x[t[static_cast<std::size_t>(k) + 1]]) - at(x[t[0]]);
    return m;
  }
  static Matrix3d cofactor(const Matrix3d& f) {
    Matrix3d c;
    c.col(0) = f.col(1).cross(f.col(2));
    c.col(1) = f.col(2).cross(f.col(0));
    c.col(2) = f.col(0).cross(f.col(1));
    return c;
  }
  void add(const VectorXd& move, std::vector<Vec3>& x) const {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (beam_.row[i] < 0) continue;
      for (int k = 0; k < 3; ++k) x[i][k] += move[beam_.row[i] + k];
    }
  }
  /// Derivative of the deformation gradient by the corners: 9 x 12.
  Eigen::Matrix<double, 9, 12> shape(std::size_t e) const {
    Eigen::Matrix<double, 9, 12> b = Eigen::Matrix<double, 9, 12>::Zero();
    for (int corner = 0; corner < 4; ++corner) {
      for (int j = 0; j < 3; ++j) {
        const double g = corner == 0 ? -inverse_[e].col(j).sum() : inverse_[e](corner - 1, j);
        for (int i = 0; i < 3; ++i) b(3 * j + i, 3 * corner + i) = g;
      }
    }
    return b;
  }
  VectorXd gradient(const std::vector<Vec3>& x) const {
    VectorXd g = VectorXd::Zero(beam_.unknowns);
    for (std::size_t e = 0; e < volume_.size(); ++e) {
      const auto& t = beam_.mesh.tetrahedra[e];
      const Matrix3d f = edges(t, x) * inverse_[e];
      const Matrix3d p = mu_ * f + lambda_ * (f.determinant() - alpha_) * cofactor(f);
      const Eigen::Matrix<double, 12, 1> force =
          volume_[e] * shape(e).transpose() *
          Eigen::Map<const Eigen::Matrix<double, 9, 1>>(p.data());
      for (int c = 0; c < 4; ++c) {
        const int r = beam_.row[t[static_cast<std::size_t>(c)]];
        if (r < 0) continue;
        for (int k = 0; k < 3; ++k)
          g[r + k] += force[3 * c + k] - 0.25 * beam_.material.density * volume_[e] * gravity_[k];
      }
    }
    return g;
  }
  MatrixXd hessian(const std::vector<Vec3>& x) const {
    MatrixXd h = MatrixXd::Zero(beam_.unknowns, beam_.unknowns);
    for (std::size_t e = 0; e < volume_.size(); ++e) {
      const auto& t = beam_.mesh.tetrahedra[e];
      const Matrix3d f = edges(t, x) * inverse_[e];
      const Matrix3d c = cofactor(f);
      const Eigen::Map<const Eigen::Matrix<double, 9, 1>> vec(c.data());
      Eigen::Matrix<double, 9, 9> d =
          mu_ * Eigen::Matrix<double, 9, 9>::Identity() + lambda_ * vec * vec.transpose();
      // Derivative of the cofactors: column a's by column b is the cross product with the third.
      const double s = lambda_ * (f.determinant() - alpha_);
      for (int a = 0; a < 3; ++a) {
        for (int q = 1; q < 3; ++q) {
          const int b = (a + q) % 3, third = 3 - a - b;
          const Eigen::Vector3d v = f.col(third);
          Matrix3d cross;
          cross << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
          d.block<3, 3>(3 * a, 3 * b) += (q == 1 ? -s : s) * cross;
        }
      }
      const Eigen::Matrix<double, 12, 12> k = volume_[e] * shape(e).transpose() * d * shape(e);
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
          const int r = beam_.row[t[static_cast<std::size_t>(i)]];
          const int q = beam_.row[t[static_cast<std::size_t>(j)]];
          if (r >= 0 && q >= 0) h.block<3, 3>(r, q) += k.block<3, 3>(3 * i, 3 * j);
        }
      }
    }
    return h;
  }

  const Beam& beam_;
  Vec3 gravity_;
  double mu_, lame_, lambda_, alpha_;
  std::vector<Matrix3d> inverse_;
  std::vector<double> volume_;
};

struct Settled {
  std::vector<Vec3> x;
  int sweeps = 0;
};

/// The world at rest: steps so long that inertia hardly counts.
Settled settle(const Beam& beam, const Vec3& gravity) {
  DeformableSettings s;
  s.gravity = gravity;
  s.time_step = 1e3;
  s.sweeps = 20000;
  s.tolerance = 1e-12;
  s.contacts = false;
  DeformableWorld world(s);
  DeformableDefinition d;
  d.vertices = beam.mesh.vertices;
  d.tetrahedra = beam.mesh.tetrahedra;
  d.material = beam.material;
  d.fixed = beam.fixed;
  world.add(d);
  Settled out;
  for (int k = 0; k < 3; ++k) out.sweeps += world.step().sweeps;
  const auto x = world.positions(0);
  out.x.assign(x.begin(), x.end());
  return out;
}

double farthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, norm(a[i] - b[i]));
  return most;
}

TEST(Cantilever, IsTheDenseNewtonSolution) {
  const Beam beam({1.0, 0.2, 0.2}, {10, 2, 2}, 0.3);
  const Vec3 gravity{0.0, 0.0, -9.81};
  const std::vector<Vec3> newton = DenseBeam(beam, gravity).solve(40);
  const Settled world = settle(beam, gravity);
  const double sag = farthest(newton, beam.mesh.vertices);
  const double difference = farthest(world.x, newton);
  EXPECT_GT(sag, 0.05);
  EXPECT_LT(difference, 1e-6 * sag);
  EXPECT_LT(world.sweeps, 6000);
}

TEST(Cantilever, IsLinearUnderASmallLoad) {
  TACTUS_LONG_TEST();
  const Vec3 gravity{0.0, 0.0, -9.81e-4};
  double last = 0.0;
  for (const std::array<int, 3>& cells :
       {std::array<int, 3>{4, 1, 1}, std::array<int, 3>{8, 2, 2}, std::array<int, 3>{12, 3, 3}}) {
    const Beam beam({1.0, 0.2, 0.2}, cells, 0.3);
    const std::vector<Vec3> linear = DenseBeam(beam, gravity).linear();
    const Settled world = settle(beam, gravity);
    const double sag = farthest(linear, beam.mesh.vertices);
    const double difference = farthest(world.x, linear);
    // Sag of a slender beam: weight per length * length^4 / (8 E I). Coarse cells are too stiff.
    const double slender = 1000.0 * 9.81e-4 * 0.04 / (8.0 * 1e6 * (0.2 * 0.2 * 0.2 * 0.2 / 12.0));
    EXPECT_LT(sag, slender);
    EXPECT_GT(sag, last);
    last = sag;
    EXPECT_LT(difference, 1e-3 * sag);
  }
}

}  // namespace
}  // namespace tactus::detail
