#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tactus {

/// What the checker says of one claim of an answer.
enum class Proof : std::uint8_t {
  not_claimed,
  proved,    ///< follows from inequalities that the checker has evaluated itself
  unproved,  ///< may be true: the certificate does not show it
  refuted    ///< false, beyond the stated rounding
};
std::string_view to_string(Proof proof);

/// The claims of an answer; docs/guide/proofs.md says how each is proved.
enum class Claim : std::uint8_t {
  value,       ///< the distance lies in its bracket; times are in order
  lower,       ///< the signed distance is no less than `lower`
  upper,       ///< nor more than `upper`
  normal,      ///< a unit vector along which the bodies are `distance` apart
  points,      ///< point_a belongs to A, point_b to B
  relation,    ///< point_b - point_a = distance * normal
  parts,       ///< the parts exist, and the points belong to them
  triangles,   ///< so with triangles
  verdict,     ///< do the bodies meet
  time,        ///< they do not before `time`
  time_upper,  ///< but do at `time_upper`
  contacts     ///< the points of the patches: on both surfaces, as deep as they say, none too deep
};
inline constexpr int kClaims = 12;
std::string_view to_string(Claim claim);

/// What an independent re-computation found; lengths are absolute.
struct CheckReport {
  Proof claims[kClaims] = {};
  bool ok = false;      ///< everything that is claimed is proved
  std::string failure;  ///< the first claim that is not, and why; empty when ok

  double direction_residual = 0.0;  ///< |f(n) + distance|
  double witness_residual = 0.0;    ///< |point_b - point_a - distance * normal|
  /// How far the points lie outside their shapes.
  double membership_a = 0.0, membership_b = 0.0;

  Proof operator[](Claim claim) const { return claims[static_cast<int>(claim)]; }
  bool refuted() const;

  /// Records what was found of a claim; of several findings about one the worst counts.
  void set(Claim claim, Proof proof, std::string_view reason);
  /// After all claims.
  void finish();
};

}  // namespace tactus
