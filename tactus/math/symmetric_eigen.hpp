#pragma once

#include "tactus/math.hpp"

namespace tactus::detail {

/// vectors * diagonal(values) * transpose(vectors), with `values` ascending and `vectors` a
/// rotation whose columns are the axes.
struct SymmetricEigen {
  Vec3 values;
  Mat3 vectors;
};

/// Eigenvalues and axes of a symmetric matrix (only the upper triangle is read). Rounding errors
/// are a few ulps of the largest entry; a diagonal matrix is answered exactly. The signs of the
/// axes are fixed by making the largest component of the first two positive; the third completes a
/// right-handed frame. The same bits on every machine. Entries must be finite. Cost: some 200
/// operations. Source: golub2013matrix, section 8.5 (cyclic Jacobi).
SymmetricEigen symmetric_eigen(const Mat3& matrix);

}  // namespace tactus::detail
