#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tactus/narrow/search/depth_caps.hpp"
#include "tactus/narrow/search/epa_result.hpp"
#include "tactus/narrow/search/polytope_surface.hpp"

namespace tactus::detail {

/// The triangles are those of a `PolytopeSurface`; what needs none of them is proved by
/// `DepthCaps`.
class Epa {
 public:
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
  void keep(KeptSurface& surface) const { surface_.keep(surface); }

  /// The triangles of the surface, by index of their vertices: outward, counter-clockwise.
  void list_faces(std::vector<std::array<std::uint32_t, 3>>& out) const {
    surface_.list_faces(out);
  }

  int vertex_count() const { return surface_.vertex_count(); }
  const SupportPoint& vertex(int i) const { return surface_.vertices()[i]; }

 private:
  using Face = PolytopeSurface::Face;
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

  void prepare(const Cso& cso, const EpaOptions& options);
  const Critical* take_known(const Cso& cso, const Critical* known, EpaResult& r);
  void search(const Cso& cso, bool known, const EpaOptions& options, Best& best, EpaResult& r);
  void conclude(const Cso& cso, const EpaOptions& options, const Best& best, EpaResult& r);
  void report(const Cso& cso, const Face& f, const SupportPoint& p, double least, int iterations,
              Observer& observer) const;
  Critical face_critical(const Face& face, const SupportPoint& extreme, double value) const;
  int finish(const Cso& cso, Critical& c) const;
  Critical refine(const Cso& cso, const Face& face, EpaResult& r);
  bool settle_unsearched(const Cso& cso, std::uint16_t face, double best_value, FaceProof* proof);
  void take_witness(const Cso& cso, Critical& best) const;
  void take_triangle(Critical& best) const;
  bool has_rival(const EpaResult& result, double rounding) const;

  PolytopeSurface surface_;
  DepthCaps caps_;
  bool capped_ = false;  ///< some faces were left to caps
};

}  // namespace tactus::detail
