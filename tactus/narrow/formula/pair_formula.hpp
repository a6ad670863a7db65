#pragma once

namespace tactus::detail {

/// Formula that answers two cores without a search, where their place lets it.
enum class PairFormula : unsigned char {
  none,
  closed,  ///< `closed_form`
  axes     ///< nearest points and separating axes of two boxes
};

}  // namespace tactus::detail
