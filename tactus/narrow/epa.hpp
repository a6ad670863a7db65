#pragma once

#include <array>
#include <memory>

#include "tactus/math/trace.hpp"
#include "tactus/narrow/polish.hpp"

namespace tactus {

struct EpaOptions {
  double gap = 0.0;  ///< wanted width of the depth's bracket (absolute; never below rounding)
  bool stop_at_sign = false;  ///< stop once the origin is proved to be inside or outside
  int max_iterations = 128;
  TraceSink* trace = nullptr;
};

enum class EpaOutcome : std::uint8_t {
  converged,        ///< the bracket is as narrow as asked
  iteration_limit,  ///< the cap or the capacity was reached
  precision_limit,  ///< no support point lies beyond the nearest face, although the bracket is
                    ///< wider than asked
  flat              ///< A - B has no volume: the depth along its normal is the answer
};

struct EpaResult {
  EpaOutcome outcome = EpaOutcome::flat;
  Critical best;  ///< direction of the least f found, finished by `polish`
  /// The origin is at least this far inside the hull of the support points; negative when it is
  /// outside.
  double lower = -std::numeric_limits<double>::infinity();
  bool unique = true;  ///< false when another, different face is as near
  int iterations = 0;  ///< support evaluations
};

/// Penetration depth of two cores by the expanding polytope: the hull of support points of A - B,
/// grown at the face nearest to the origin, as an incremental convex hull whose decisions are made
/// by exact predicates, so that the polytope is always a closed convex surface. Face distances are
/// signed: a start that misses the origin by rounding is grown towards it.
///
/// A member object because of its size (some 100 kB); made on the stack, nothing is cleared
/// beforehand. `vertices` are the proof of the lower bound. Source: vandenbergen2001epa;
/// leemann2017, section 3.4; the start by ascending dimension, exact visibility and signed
/// distances are ours.
class Epa {
 public:
  static constexpr int kMaxVertices = 200;

  Epa() {}  // NOLINT(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init): storage
            // is not cleared
  Epa(const Epa&) = delete;
  Epa& operator=(const Epa&) = delete;

  /// `start`: one to four points of A - B near the origin, as GJK leaves them. `known`: a critical
  /// direction found before, or null.
  EpaResult run(const Cso& cso, const Simplex& start, const Critical* known,
                const EpaOptions& options);

  int vertex_count() const { return vertex_count_; }
  const SupportPoint& vertex(int i) const { return vertices_.item[i]; }

 private:
  static constexpr int kMaxFaces = 2 * kMaxVertices;

  struct Face {
    std::uint16_t vertex[3];
    std::uint16_t neighbor[3];  ///< across the edge from vertex[i] to vertex[i + 1]
    bool alive, final;
    Vec3 normal;      ///< unit, outward
    double distance;  ///< least normal . w over the corners: a lower bound of the face's signed
                      ///< distance
  };
  struct HorizonEdge {
    std::uint16_t tail, head, outside;
  };
  struct Candidate {
    double distance;
    std::uint16_t face;
  };
  // Arrays whose elements are written before they are read.
  template <class T, int N>
  union Storage {
    Storage() {}  // NOLINT(modernize-use-equals-default)
    T item[N];
  };

  bool start_tetrahedron(const Cso& cso, const Simplex& start, EpaResult& result);
  std::uint16_t make_face(std::uint16_t a, std::uint16_t b, std::uint16_t c);
  bool sees(const SupportPoint& p, const Face& face) const;
  bool insert(const SupportPoint& p, std::uint16_t face);
  void find_horizon(const SupportPoint& p, std::uint16_t face, int first_edge);
  void push(std::uint16_t face);
  void settle(Face& face) const;
  Simplex face_simplex(const Face& face) const;
  void take_witness(const Cso& cso, Critical& best) const;
  bool has_rival(const EpaResult& result, double rounding) const;

  Storage<SupportPoint, kMaxVertices> vertices_;
  Storage<Face, kMaxFaces * 3> faces_;
  Storage<Candidate, kMaxFaces * 3> heap_;
  Storage<HorizonEdge, kMaxFaces> horizon_;
  int vertex_count_ = 0, face_count_ = 0, heap_count_ = 0, horizon_count_ = 0;
};

}  // namespace tactus
