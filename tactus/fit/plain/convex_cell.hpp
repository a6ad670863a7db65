#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "tactus/mesh.hpp"

namespace tactus::detail::fit {

/// All x with normal . x = offset; `normal` is unit.
struct Plane {
  Vec3 normal;
  double offset = 0.0;
};

/// The distinct planes of a plain solid, by number; lengths within `tolerance` of a plane count as
/// in it.
class PlaneTable {
 public:
  explicit PlaneTable(double tolerance) : tolerance_(tolerance) {}
  double tolerance() const { return tolerance_; }
  std::size_t size() const { return planes_.size(); }
  const Plane& operator[](std::size_t plane) const { return planes_[plane]; }
  /// Signed height of `p` above a plane, 0 within the tolerance.
  double height(std::size_t plane, const Vec3& p) const;
  /// The number of the plane that holds all points, added with the unit `normal` where there is
  /// none. `points` must not be empty.
  std::size_t plane_through(const std::vector<Vec3>& points, const Vec3& normal);

 private:
  std::vector<Plane> planes_;
  double tolerance_;
};

/// A convex polyhedron by its faces.
struct Cell {
  struct Face {
    std::size_t plane;          ///< `kNoPlane` for a side of the box that all began with
    bool above;                 ///< the cell is above the plane
    std::vector<Vec3> polygon;  ///< in order around
  };
  static constexpr std::size_t kNoPlane = static_cast<std::size_t>(-1);
  std::vector<Face> faces;
  double volume = 0.0;
  Vec3 middle;
};

/// Two cells that have an area in common.
struct CellContact {
  std::uint32_t a, b;
  std::vector<Vec3> polygon;
};

/// A body as convex cells without common points inside.
struct CellBody {
  std::vector<Cell> cells;
  std::vector<CellContact> contacts;
};

/// The axis-parallel box as a cell.
Cell box_cell(const Vec3& low, const Vec3& high);
/// Fills in `volume` and `middle`.
void measure_cell(Cell& cell);
/// The parts of a cell below and above a plane; a part without faces where there is none. Cost:
/// linear in the corners.
void split_cell(const Cell& cell, std::size_t plane, const PlaneTable& planes, Cell& below,
                Cell& above);
/// The part of a convex polygon below a plane (`side` -1) or above it (+1).
std::vector<Vec3> clip_polygon(const std::vector<Vec3>& polygon, std::size_t plane,
                               const PlaneTable& planes, int side);
/// All contacts of `body.cells`, found by their planes. Cost: quadratic in the cells, microseconds
/// for those whose boxes meet.
void find_contacts(CellBody& body, const PlaneTable& planes);
/// Is the point in the cell or at most the tolerance beside it?
bool touches(const Cell& cell, const Vec3& p, const PlaneTable& planes);
/// The area of a convex polygon is larger than what the tolerance makes of its rim.
bool has_area(const std::vector<Vec3>& polygon, double tolerance);

}  // namespace tactus::detail::fit
