#include "tactus/ccd.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "lab/experiment.hpp"
#include "tactus/core/random.hpp"

// Moving vertices, edges and faces whose truth is known by construction: contacts put into exact
// numbers, and pairs that pass each other at a known gap. Source: knoblauch2005 (its methods beside
// ours); wang2021ccd (the classes that go wrong).

namespace tactus::detail::lab {
namespace {

constexpr int kGaps = 6;
constexpr std::array<double, kGaps> kGapSizes{0x1p-10, 0x1p-20, 0x1p-30, 0x1p-38, 0x1p-42, 0x1p-44};
// Queries of a chunk, which has its own random numbers.
constexpr std::uint64_t kChunk = 4096;
// The first queries, up to this number, are also asked by the methods of the source.
constexpr std::uint64_t kAskedOfAll = 1000000;

enum Kind : std::uint8_t { anywhere, in_plane, on_line, resting };
constexpr int kKinds = 4;
constexpr const char* kKindNames[kKinds] = {"anywhere", "in a plane", "on a line",
                                            "partly at rest"};

struct Points {
  Vec3 start[4], end[4];
};

Vec3 whole(Random& random, int kind) {
  const auto one = [&] { return static_cast<double>(static_cast<int>(random.below(33)) - 16); };
  Vec3 p{one(), one(), one()};
  if (kind == in_plane) p.z = 0.0;
  if (kind == on_line) p.y = p.z = 0.0;
  return p;
}

Points drawn(Random& random, int kind) {
  Points p;
  for (int i = 0; i < 4; ++i) {
    p.start[i] = whole(random, kind);
    const bool rests = kind == resting && random.below(2) == 0;
    p.end[i] = rests ? p.start[i] : whole(random, kind);
  }
  return p;
}

/// A vertex that is on a face, or edges that cross, at the time 2^-k: all numbers are exact.
Points vertex_contact(Random& random, int kind, double& time) {
  Points p = drawn(random, kind);
  time = std::ldexp(1.0, -static_cast<int>(random.below(5)));
  const auto first = static_cast<int>(random.below(9));
  const auto second = static_cast<int>(random.below(static_cast<std::uint32_t>(9 - first)));
  const double w[3] = {0.125 * first, 0.125 * second, 0.125 * (8 - first - second)};
  const auto at = [&](int i) { return p.start[i] * (1.0 - time) + p.end[i] * time; };
  const Vec3 place = at(1) * w[0] + (at(2) * w[1] + at(3) * w[2]);
  p.end[0] = (place - p.start[0] * (1.0 - time)) * (1.0 / time);
  return p;
}

Points edge_contact(Random& random, int kind, double& time) {
  Points p = drawn(random, kind);
  time = std::ldexp(1.0, -static_cast<int>(random.below(5)));
  const double u = 0.125 * static_cast<double>(random.below(9));
  const double v = 0.5 * static_cast<double>(random.below(2));
  const auto at = [&](int i) { return p.start[i] * (1.0 - time) + p.end[i] * time; };
  const Vec3 place = at(0) * (1.0 - u) + at(1) * u;
  const Vec3 wanted = (place - at(3) * v) * (1.0 / (1.0 - v));
  p.end[2] = (wanted - p.start[2] * (1.0 - time)) * (1.0 / time);
  return p;
}

/// A unimodular map with small whole entries, so that nothing is rounded and nothing comes to
/// touch.
struct Shear {
  int a, b, c;
  explicit Shear(Random& random)
      : a(static_cast<int>(random.below(5)) - 2),
        b(static_cast<int>(random.below(5)) - 2),
        c(static_cast<int>(random.below(5)) - 2) {}
  Vec3 operator()(const Vec3& p) const {
    const double x = p.x + a * p.y + b * p.z;
    const double y = p.y + c * p.z;
    return {x, y, p.z};
  }
};

/// Past a side of the face, or past the end of the other edge, at the gap.
Points vertex_miss(Random& random, double gap) {
  const double side = 1.0 + static_cast<double>(random.below(8));
  const double y = 0.125 * static_cast<double>(random.below(9)) * side;
  const double from = 1.0 + static_cast<double>(random.below(16)), to = -from;
  Points p;
  p.start[0] = {-gap, y, from};
  p.end[0] = {-gap, y, to};
  const Vec3 face[3] = {{0, 0, 0}, {side, 0, 0}, {0, side, 0}};
  for (int i = 0; i < 3; ++i) p.start[i + 1] = p.end[i + 1] = face[i];
  const Shear shear(random);
  for (Vec3& x : p.start) x = shear(x);
  for (Vec3& x : p.end) x = shear(x);
  return p;
}

Points edge_miss(Random& random, double gap) {
  const double side = 1.0 + static_cast<double>(random.below(8));
  const double from = 1.0 + static_cast<double>(random.below(16));
  Points p;
  p.start[0] = p.end[0] = {-side, 0, 0};
  p.start[1] = p.end[1] = {side, 0, 0};
  for (int i = 0; i < 2; ++i) {
    p.start[2 + i] = {side + gap, i == 0 ? -side : side, from};
    p.end[2 + i] = {side + gap, i == 0 ? -side : side, -from};
  }
  const Shear shear(random);
  for (Vec3& x : p.start) x = shear(x);
  for (Vec3& x : p.end) x = shear(x);
  return p;
}

CcdResult ask(const Points& p, bool edges, CcdMethod method) {
  CcdOptions options;
  options.method = method;
  if (edges) {
    return edge_edge({{p.start[0], p.start[1]},
                      {p.start[2], p.start[3]},
                      {p.end[0], p.end[1]},
                      {p.end[2], p.end[3]}},
                     options);
  }
  return vertex_face(
      {p.start[0], {p.start[1], p.start[2], p.start[3]}, p.end[0], {p.end[1], p.end[2], p.end[3]}},
      options);
}

struct Count {
  std::uint64_t asked = 0, missed = 0, late = 0, alarms = 0, proved = 0;

  Count& operator+=(const Count& o) {
    asked += o.asked;
    missed += o.missed;
    late += o.late;
    alarms += o.alarms;
    proved += o.proved;
    return *this;
  }
};

/// Counts by method, kind of primitives, and class of contacts or size of gap.
struct Counts {
  std::uint64_t pairs = 0;  ///< drawn of each kind of primitives
  Count contacts[3][2][kKinds];
  Count misses[3][2][kGaps];

  /// Calls `visit` for every count, in one order.
  template <class Visit>
  void for_each(const Visit& visit) {
    for (auto& of_method : contacts)
      for (auto& of_pair : of_method)
        for (Count& c : of_pair) visit(c);
    for (auto& of_method : misses)
      for (auto& of_pair : of_method)
        for (Count& c : of_pair) visit(c);
  }
  Counts& operator+=(Counts o) {
    std::vector<Count> others;
    o.for_each([&](const Count& c) { others.push_back(c); });
    std::size_t next = 0;
    for_each([&](Count& c) { c += others[next++]; });
    pairs += o.pairs;
    return *this;
  }
};

nlohmann::json to_json(Counts counts, std::uint64_t seed) {
  nlohmann::json numbers = nlohmann::json::array();
  counts.for_each([&](const Count& c) {
    for (const std::uint64_t n : {c.asked, c.missed, c.late, c.alarms, c.proved})
      numbers.push_back(n);
  });
  return {{"seed", seed}, {"pairs", counts.pairs}, {"counts", numbers}};
}

/// Throws InvalidInput for what is no state of a campaign with this seed.
Counts counts_of(const nlohmann::json& state, std::uint64_t seed) {
  Counts counts;
  std::size_t next = 0;
  try {
    if (state.at("seed").get<std::uint64_t>() != seed)
      throw InvalidInput("seed", "is that of another campaign");
    counts.pairs = state.at("pairs").get<std::uint64_t>();
    const nlohmann::json& numbers = state.at("counts");
    counts.for_each([&](Count& c) {
      for (std::uint64_t* n : {&c.asked, &c.missed, &c.late, &c.alarms, &c.proved})
        *n = numbers.at(next++).get<std::uint64_t>();
    });
    if (next != numbers.size()) throw InvalidInput("counts", "are too many");
  } catch (const nlohmann::json::exception& error) {
    throw InvalidInput("state", error.what());
  }
  return counts;
}

void campaign(std::uint64_t count, bool of_all, Random random, Counts& out) {
  out.pairs += count;
  for (std::uint64_t i = 0; i < count; ++i) {
    for (int edges = 0; edges < 2; ++edges) {
      const auto kind = static_cast<int>(random.below(kKinds));
      double time = 0.0;
      const Points touch =
          edges != 0 ? edge_contact(random, kind, time) : vertex_contact(random, kind, time);
      const auto gap = static_cast<int>(random.below(kGaps));
      const double size = kGapSizes[static_cast<std::size_t>(gap)];
      const Points apart = edges != 0 ? edge_miss(random, size) : vertex_miss(random, size);
      for (const CcdMethod method : kCcdMethods) {
        const auto m = static_cast<std::size_t>(method);
        if ((edges != 0 || !of_all) && method != CcdMethod::conservative) continue;
        const CcdResult r = ask(touch, edges != 0, method);
        Count& of_touch = out.contacts[m][edges][kind];
        ++of_touch.asked;
        of_touch.missed += r.hit ? 0 : 1;
        // The roots of the other methods are rounded.
        of_touch.late +=
            r.hit && r.time > time * (method == CcdMethod::conservative ? 1.0 : 1.0 + 1e-9) ? 1 : 0;
        of_touch.proved += r.proved ? 1 : 0;
        Count& of_gap = out.misses[m][edges][gap];
        ++of_gap.asked;
        of_gap.alarms += ask(apart, edges != 0, method).hit ? 1 : 0;
      }
    }
  }
}

Counts run_campaign(const Settings& settings) {
  Counts sum;
  if (settings.rounds.start != nullptr) sum = counts_of(*settings.rounds.start, settings.seed);
  if (sum.pairs < settings.pairs && sum.pairs % kChunk != 0)
    throw InvalidInput("pairs", "only a whole number of chunks of " + std::to_string(kChunk) +
                                    " can be continued, not " + std::to_string(sum.pairs));
  const std::uint64_t chunks = (settings.pairs + kChunk - 1) / kChunk;
  // Rounds of some seconds at most.
  const std::uint64_t round = std::clamp<std::uint64_t>(chunks / 50, 1, 64);
  std::vector<Counts> parts;
  for (std::uint64_t from = sum.pairs / kChunk; from < chunks; from += round) {
    const std::uint64_t to = std::min(from + round, chunks);
    parts.assign(to - from, {});
    const auto ask_chunk = [&](std::uint64_t k) {
      const std::uint64_t count = std::min(kChunk, settings.pairs - k * kChunk);
      campaign(count, (k + 1) * kChunk <= kAskedOfAll,
               Random(settings.seed + 0x9e3779b97f4a7c15u * (k + 1)), parts[k - from]);
    };
    parallel_for(
        to - from, 1,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) ask_chunk(from + i);
        },
        settings.threads);
    for (const Counts& part : parts) sum += part;
    settings.progress(sum.pairs, settings.pairs);
    if (!settings.rounds.ended(to_json(sum, settings.seed))) break;
  }
  return sum;
}

}  // namespace

Report run_ccd(const Settings& settings) {
  const Counts counts = run_campaign(settings);
  Report report;
  report.name = "ccd";
  report.title = "First contacts of moving vertices, edges and faces";
  report.text = "Of each kind " + std::to_string(counts.pairs) +
                " contacts that are put into whole numbers and small fractions, at times 2^-k, on "
                "corners and edges often, and "
                "as many pairs that pass each other at a known gap, in units of about ten: all "
                "truths are exact. "
                "A contact is missed, or found after it has happened (late); a pair that passes is "
                "a false alarm or not. "
                "The methods of *knoblauch2005* know vertices and faces only, and are asked about "
                "the first million of them "
                "([how](../algorithms/continuous-collision.md)).\n";
  Table contacts{"Contacts", {"method", "pair", "class", "asked", "missed", "late", "proved"}, {}};
  Table gaps{"False alarms of pairs that pass each other",
             {"method", "pair", "gap", "asked", "alarms"},
             {}};
  double missed = 0.0, alarms = 0.0;
  constexpr const char* kPairs[] = {"vertex, face", "edges"};
  for (const CcdMethod method : kCcdMethods) {
    const auto m = static_cast<std::size_t>(method);
    for (std::size_t e = 0; e < 2; ++e) {
      if (e == 1 && method != CcdMethod::conservative) continue;
      for (std::size_t k = 0; k < kKinds; ++k) {
        const Count& c = counts.contacts[m][e][k];
        contacts.rows.push_back({std::string(to_string(method)), kPairs[e], kKindNames[k],
                                 std::to_string(c.asked), std::to_string(c.missed),
                                 std::to_string(c.late), std::to_string(c.proved)});
        if (method == CcdMethod::conservative) missed += static_cast<double>(c.missed + c.late);
      }
      for (std::size_t g = 0; g < kGaps; ++g) {
        const Count& c = counts.misses[m][e][g];
        gaps.rows.push_back({std::string(to_string(method)), kPairs[e], kGapSizes[g],
                             std::to_string(c.asked), std::to_string(c.alarms)});
        if (method == CcdMethod::conservative) alarms += static_cast<double>(c.alarms);
      }
    }
  }
  report.tables = {contacts, gaps};
  report.bars = {{"contacts missed, or found late, by the default", missed, 0.0},
                 {"false alarms of the default", alarms, 0.0}};
  return report;
}

}  // namespace tactus::detail::lab
