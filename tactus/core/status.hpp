#pragma once

#include <cstdint>
#include <string_view>

namespace tactus {

/// How a query ended. Whatever the status, the bracket of the result holds.
enum class Status : std::uint8_t {
  converged,        ///< the bracket is as narrow as the options asked
  iteration_limit,  ///< a cap was reached first; the bracket is wider than asked
  precision_limit,  ///< rounding stopped the progress; the bracket is wider than asked
  invalid_input,    ///< a pose was not finite; the bracket is unbounded
  unsupported,      ///< this pair or method has no answer; the bracket is unbounded
};

constexpr std::string_view to_string(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::iteration_limit:
      return "iteration_limit";
    case Status::precision_limit:
      return "precision_limit";
    case Status::invalid_input:
      return "invalid_input";
    case Status::unsupported:
      return "unsupported";
  }
  return "unsupported";
}

}  // namespace tactus
