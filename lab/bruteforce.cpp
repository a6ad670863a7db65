#include "lab/bruteforce.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "fuzz/random_values.hpp"
#include "tactus/core.hpp"
#include "tactus/rigid/exchange/parts.hpp"

namespace tactus::detail::lab {
namespace {

// Pairs per task of a thread, and per rank and step of the progress bar.
constexpr std::size_t kGrain = 1024, kBatch = 65536;
// Half the edge of the cube in which B is placed about A, in units of the distance at which balls
// around them touch: between a quarter and two thirds of the pairs overlap.
constexpr double kSpread = 0.9;

void compare_random(const Settings& settings, const Mix& mix, std::uint64_t stream,
                    std::uint64_t index, Tally& tally) {
  Random random(settings.seed ^ (stream << 56u), index);
  const std::uint32_t kind_a = random.below(2), kind_b = random.below(2);
  const double reach = kSpread * (mix.reach[kind_a] + mix.reach[kind_b]);
  const Pose pose_a(fuzz::vector_in(random, -10.0, 10.0), fuzz::rotation(random));
  const Pose pose_b(pose_a.position() + fuzz::vector_in(random, -reach, reach),
                    fuzz::rotation(random));
  tally.compare(settings, mix.kinds[kind_a], pose_a, mix.kinds[kind_b], pose_b,
                std::string(mix.name) + "-" + std::to_string(index));
}

}  // namespace

Report run_bruteforce(const Settings& settings) {
  const std::vector<Mix> all_mixes = bruteforce_mixes();
  const std::uint64_t total = settings.pairs;
  std::vector<Tally> tallies(all_mixes.size());
  const std::uint64_t batch =
      kBatch * static_cast<std::uint64_t>(settings.ranks != nullptr ? settings.ranks->ranks() : 1);
  std::uint64_t done = 0;
  for (std::size_t m = 0; m < all_mixes.size(); ++m) {
    const std::uint64_t count = total / all_mixes.size() + (m < total % all_mixes.size() ? 1 : 0);
    for (std::uint64_t first = 0; first < count; first += batch) {
      const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(batch, count - first));
      const auto compare_chunks = [&](const ListPart& part) {
        std::vector<Tally> chunks(part.end - part.begin);
        const std::size_t start = part.begin * kGrain, end_of_part = part.end * kGrain;
        parallel_for(
            std::min(size, end_of_part) - std::min(size, start), kGrain,
            [&](std::size_t begin, std::size_t end) {
              for (std::size_t i = begin; i < end; ++i)
                compare_random(settings, all_mixes[m], m, first + start + i,
                               chunks[begin / kGrain]);
            },
            settings.threads);
        return chunks;
      };
      const std::size_t count_of_chunks = (size + kGrain - 1) / kGrain;
      for (Tally& chunk : make_in_parts<Tally>(settings.ranks, count_of_chunks, compare_chunks))
        tallies[m] += std::move(chunk);
      done += size;
      settings.progress(done, total);
    }
  }

  Report report;
  report.name = "bruteforce";
  report.title = "Iteration against closed forms, random pairs";
  report.text = std::to_string(total) + " random pairs, seed " + std::to_string(settings.seed) +
                ", of the five mixes of leemann2017 (section 4.1.2; bodies 6 in size, both kinds "
                "drawn\nat random) "
                "and of cubes with capsules, which it had to leave out. Every pair by closed form "
                "(`closed_form`; "
                "cubes: `sat`) and\niteratively (`epa`: GJK, expanding polytope, second-order "
                "finish). Errors are "
                "those of collisions: normals in degrees,\ndepths relative to size (those of "
                "leemann2017 divided "
                "by its size 6), positions (midpoint of the witnesses) in percent of\nsize. "
                "`ambiguous`: collisions "
                "with several equally good normals or points, compared by depth alone. `searched`: "
                "pairs\nwithout a "
                "closed form, compared with the default. Disagreement: brackets apart, another "
                "verdict, or distances "
                "more than 1e-9\nof size apart; gaps are compared too.";
  report_tallies(tallies, report);
  return report;
}

}  // namespace tactus::detail::lab
