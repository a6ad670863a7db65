#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tactus/core/growing.hpp"
#include "tactus/core/uncleared.hpp"
#include "tactus/narrow/difference/warm_start.hpp"
#include "tactus/narrow/proof/face_proof.hpp"
#include "tactus/observer.hpp"

namespace tactus::detail {

struct EpaOptions {
  double gap = 0.0;  ///< wanted width of the depth's bracket (absolute; never below rounding)
  bool stop_at_sign =
      false;             ///< stop once the origin is proved to be inside, or apart by `sign_at`
  double sign_at = 0.0;  ///< the radii that the cores are grown by
  int max_iterations = 190;
  /// Some f is known to be no larger: faces farther away need no search.
  double known_below = std::numeric_limits<double>::infinity();
  Observer* observer = nullptr;
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
  bool by_caps = false;  ///< `lower` rests on second-order bounds (`prove_cap`) too
  bool unique = true;    ///< false when another, different face is as near
  int iterations = 0;    ///< support evaluations
};

/// Penetration depth of two cores by the expanding polytope: a closed surface of triangles between
/// support points of A - B, grown at the triangle nearest to the origin.
///
/// The proof needs no exact convexity. If the surface is closed and every triangle is turned
/// outwards as seen from the origin (decided exactly), every ray from the origin meets a triangle,
/// so that the least distance of the triangles is a lower bound of the depth, however rounding has
/// dented the surface. Distances are signed: a start that misses the origin by rounding is grown
/// towards it.
///
/// Made on the stack (20 kB), nothing is cleared beforehand; a surface of more than `kFewVertices`
/// allocates. `vertices` are the proof of the lower bound. Source: vandenbergen2001epa;
/// leemann2017, section 3.4; the start by ascending dimension, the signed distances and the proof
/// are ours.
class Epa {
 public:
  /// Concentric round hulls of a thousand vertices need some five hundred.
  static constexpr int kMaxVertices = 1024;
  static constexpr int kFewVertices = 64;

  Epa() {}  // NOLINT(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init): storage
            // is not cleared
  Epa(const Epa&) = delete;
  Epa& operator=(const Epa&) = delete;

  /// `start`: one to four points of A - B near the origin, as GJK leaves them. `known`: a critical
  /// direction found before, or null.
  EpaResult run(const Cso& cso, const Simplex& start, const Critical* known,
                const EpaOptions& options);

  /// As `run`, from a surface that an earlier search has kept, on the present poses: nearby it is
  /// as a rule still a proof, up to a triangle or two. False when it is none (closed, of pieces
  /// that exist, every triangle turned outwards), or when the search gets stuck; `result` then only
  /// counts the steps.
  bool resume(const Cso& cso, const KeptSurface& surface, const Critical* known,
              const EpaOptions& options, EpaResult& result);

  /// The surface as `run` or `resume` left it; empty when it is too large. After `resume`,
  /// `surface` must be the one it was given: as a rule little is left to write.
  void keep(KeptSurface& surface) const;

  /// The triangles of the surface, by index of their vertices: outward, counter-clockwise.
  void list_faces(std::vector<std::array<std::uint32_t, 3>>& out) const;

  int vertex_count() const { return vertex_count_; }
  const SupportPoint& vertex(int i) const { return vertices_.item[i]; }

 private:
  static constexpr int kMaxCaps = 8;
  /// Key of a face that needs no search.
  static constexpr double kSettled = std::numeric_limits<double>::infinity();
  static constexpr int kMaxFaces = 2 * kMaxVertices;
  static_assert(4 * kMaxFaces <= 65536, "a face and its edge are named by sixteen bits");

  struct Face {
    Vec3 across;      ///< product of two edges, outward: the normal, not of unit length
    double scale;     ///< makes it unit; zero where that is not needed
    double distance;  ///< lower bound of the triangle's distance, not positive when it is turned
                      ///< inwards
    double level;     ///< a point p is beyond the face when across . p exceeds it
    std::uint16_t neighbor[3];  ///< 4 face + edge, across the edge from vertex[i] to vertex[i + 1]
    std::uint16_t vertex[3];
    bool alive;
    bool final;   ///< part of the surface of A - B: nothing lies beyond it
    bool capped;  ///< left to a cap
    bool lifted;  ///< `distance` is that of the triangle, not of its plane
    bool made;    ///< false: of a kept face, known to be far, only the corners are set
    Vec3 normal() const { return across * scale; }
    bool holds_back(const Vec3& p) const { return !(dot(across, p) > level); }
  };
  // The least f so far that is a face's: which one, unless `polish` has done better.
  struct Best {
    Face face;
    SupportPoint extreme;
    double value = std::numeric_limits<double>::infinity();
    bool from_face = false;
    void take(const Face& f, const SupportPoint& p, double f_of_n) {
      face = f;
      extreme = p;
      value = f_of_n;
      from_face = true;
    }
  };
  struct HorizonEdge {
    std::uint16_t tail, head;
    std::uint16_t outside;  ///< 4 face + edge
  };

  /// For one more vertex and its faces: whatever refers to those before is void. False at the end.
  bool make_room();
  void prepare(const Cso& cso, const EpaOptions& options);
  const Critical* take_known(const Cso& cso, const Critical* known, EpaResult& r);
  void search(const Cso& cso, bool known, const EpaOptions& options, Best& best, EpaResult& r);
  void conclude(const Cso& cso, const EpaOptions& options, const Best& best, EpaResult& r);
  void report_face(const Face& f, const Vec3& n, const Vec3& support, double least, int iterations,
                   Observer& observer) const;
  bool expand(std::uint16_t face, const SupportPoint& p);
  bool place_vertices(const Cso& cso, const KeptSurface& surface);
  bool place_faces(const KeptSurface& surface);
  void want_below(double value, double rounding);
  bool start_tetrahedron(const Cso& cso, const Simplex& start, EpaResult& result);
  Face& name_face(std::uint16_t index, std::uint16_t a, std::uint16_t b, std::uint16_t c);
  void make_face(std::uint16_t index, std::uint16_t a, std::uint16_t b, std::uint16_t c);
  void place_face(std::uint16_t index, const Vec3& across, double edges, const Vec3& corner);
  void place_near_face(std::uint16_t index, double square);
  bool is_far(double volume, double square) const;
  void settle(std::uint16_t face, double distance);
  bool insert(const SupportPoint& p, std::uint16_t face);
  bool find_horizon(const Vec3& p, std::uint16_t face);
  bool raise(Face& face, const Vec3& point) const;
  bool lift(Face& face) const;
  void offer(std::uint16_t face);
  std::uint16_t nearest() const;
  void remove(std::uint16_t face);
  Simplex face_simplex(const Face& face) const;
  Critical face_critical(const Face& face, const SupportPoint& extreme, double value) const;
  int finish(const Cso& cso, Critical& c) const;
  Critical refine(const Cso& cso, const Face& face, EpaResult& r);
  void keep_cap(const Cso& cso, const Critical& critical);
  bool near_cap(const Vec3& n) const;
  bool settled_by_cap(Face& face, double level);
  bool settled_by_formula(const Cso& cso, Face& face, double best_value, FaceProof& proof);
  void take_witness(const Cso& cso, Critical& best) const;
  void take_triangle(Critical& best) const;
  bool has_rival(const EpaResult& result, double rounding) const;

  static constexpr int kFewFaces = 2 * kFewVertices;
  int vertex_room_ = kFewVertices, face_room_ = kFewFaces;
  Growing<Vec3, kFewVertices> points_;            ///< the vertices' positions alone
  Growing<SupportPoint, kFewVertices> vertices_;  ///< and a place for the next one
  Growing<Face, kFewFaces> faces_;
  Growing<double, kFewFaces> key_;  ///< distance of the faces that are yet to be searched
  Growing<std::uint16_t, kFewFaces> removed_;
  Growing<HorizonEdge, kFewFaces> horizon_;
  Uncleared<Cap, kMaxCaps> caps_;
  Observer* observer_ = nullptr;
  int vertex_count_ = 0, face_count_ = 0, horizon_count_ = 0, removed_count_ = 0, cap_count_ = 0;
  bool unchanged_ = false;     ///< the surface is the kept one
  bool capped_ = false;        ///< some faces were left to caps
  double wanted_ = 0.0;        ///< faces at least this far away need no search
  double known_below_ = 0.0;   ///< some f is no larger
  double far_ = 0.0;           ///< nor are those at least this far away as near within rounding
  double passed_over_ = 0.0;   ///< least distance among those
  double level_margin_ = 0.0;  ///< rounding of a corner's height over a face
  double volume_error_ = 0.0;  ///< rounding of the volume between a face and the origin
};

inline Epa::Face& Epa::name_face(std::uint16_t index, std::uint16_t a, std::uint16_t b,
                                 std::uint16_t c) {
  Face& f = faces_.item[index];
  f.vertex[0] = a;
  f.vertex[1] = b;
  f.vertex[2] = c;
  f.alive = true;
  f.final = f.capped = f.lifted = false;
  return f;
}

// Does a face have its triangle at least `far_` away, by the volume that one corner makes with its
// product of edges, whose square is given?
inline bool Epa::is_far(double volume, double square) const {
  const double least = volume - 2.0 * volume_error_;
  return least > 0.0 && least * least >= (far_ * far_) * square;
}

// Known to be so far away that it stays out of the search.
inline void Epa::settle(std::uint16_t face, double distance) {
  faces_.item[face].distance = distance;
  passed_over_ = std::min(passed_over_, distance);
  key_.item[face] = kSettled;
}

}  // namespace tactus::detail
