#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/experiment.hpp"
#include "lab/measure.hpp"
#include "tactus/rigid/exchange/parcel.hpp"

// Source: leemann2017, sections 4.1.2 to 4.1.4, tables 1 to 4.

namespace tactus::detail::lab {

/// Two kinds of bodies, and the source's figures for them.
struct Mix {
  const char* name;
  Shape kinds[2];
  double reach[2];  ///< radii of balls around the bodies
  double source_pairs, source_collisions;
  double source_normal, source_mean_normal;  ///< degrees, largest and mean
  double source_depth, source_position;      ///< largest; absolute, percent of size
  double source_mean_depth, source_mean_position;
};

/// The five mixes of the source, and cubes with capsules, which it had to leave out; bodies of 6.
std::vector<Mix> bruteforce_mixes();

/// A pair answered by closed form and iteratively.
struct BothAnswers {
  DistanceResult iterative, closed;
  bool searched = false;  ///< there is no closed form: the default was asked
};
/// Iteratively: `epa`; closed form or separating axes; the default for a pair that has neither.
BothAnswers ask_both(const Settings& settings, const Shape& a, const Pose& pose_a, const Shape& b,
                     const Pose& pose_b);
/// Brackets apart, another verdict, or signed distances farther apart than 1e-9 of `size`.
bool disagree(const BothAnswers& answers, double size);

/// Counts and errors of the comparisons of many pairs.
struct Tally {
  std::uint64_t pairs = 0, collisions = 0, ambiguous = 0, searched = 0;
  std::uint64_t disagreements = 0, coarse_normals = 0;
  Errors normal, depth, position;
  std::vector<Incident> incidents;

  /// Computes a pair both ways, compares, and returns the closed form's answer; `name` is that of
  /// an incident.
  DistanceResult compare(const Settings& settings, const Shape& a, const Pose& pose_a,
                         const Shape& b, const Pose& pose_b, const std::string& name);
  void operator+=(Tally other);
};

// For other ranks.
void write(const Tally& tally, Parcel& parcel);
void read(ParcelReader& reader, Tally& tally);

/// Tables (ours and the source's, mix by mix, and the quantiles of all of its mixes), bars and
/// incidents; `tallies` are those of bruteforce_mixes().
void report_tallies(const std::vector<Tally>& tallies, Report& report);

}  // namespace tactus::detail::lab
