#include "tactus/check/report.hpp"

#include <algorithm>

namespace tactus {
using namespace detail;

std::string_view to_string(Proof proof) {
  constexpr std::string_view kNames[] = {"not claimed", "proved", "unproved", "refuted"};
  return detail::name_in(kNames, proof);
}

std::string_view to_string(Claim claim) {
  constexpr std::string_view kNames[] = {"value",   "lower",    "upper",      "normal",
                                         "points",  "relation", "parts",      "triangles",
                                         "verdict", "time",     "time_upper", "contacts"};
  return detail::name_in(kNames, claim);
}

bool CheckReport::refuted() const {
  return std::any_of(std::begin(claims), std::end(claims),
                     [](Proof p) { return p == Proof::refuted; });
}

void detail::record(CheckReport& report, Claim claim, Proof proof, std::string_view reason) {
  Proof& known = report.claims[static_cast<int>(claim)];
  known = std::max(known, proof);
  if (proof == Proof::proved || proof == Proof::not_claimed || !report.failure.empty()) return;
  report.failure = std::string(to_string(claim)) + " " + std::string(to_string(proof)) + ": " +
                   std::string(reason);
}

void detail::conclude(CheckReport& report) {
  report.ok = std::all_of(std::begin(report.claims), std::end(report.claims),
                          [](Proof p) { return p == Proof::proved || p == Proof::not_claimed; });
}

}  // namespace tactus
