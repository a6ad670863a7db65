#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/rigid/contact/impact_phase.hpp"
#include "tactus/rigid/ranks/keyed_pushes.hpp"
#include "tactus/rigid/ranks/ranked_seams.hpp"

namespace tactus::detail {

/// The impacts of a substep on several ranks, each of which takes the looks at its own patches.
///
/// A rank goes through its looks, and tells what an impact made of a body to all who know the body:
/// a record with the key of the look. Who is told something that it did not know brings everything
/// back to the start, and goes through its looks again, with the records of others in their places
/// among them; until nobody is told anything new. What comes before the least key at which any rank
/// is told something new stays as it is, so that this ends; now and then records behind that key
/// are dropped, since what follows from them may be wrong. Pushes that change where patches were
/// detected again are added up at the end, in the order of their keys.
class RankedImpacts final : public ImpactLog {
 public:
  RankedImpacts(RankRegion& region, RankedSeams& seams) : region_(region), seams_(seams) {}

  /// As `ImpactPhase::run`, which was prepared for these bodies. Throws on all ranks the StepFault
  /// that any of them meets.
  void run(ImpactPhase& phase);
  /// How often ranks told each other of impacts in the last substep.
  int rounds() const { return rounds_; }

  void before_patch(std::uint32_t patch) override;
  void before_bodies(std::uint32_t patch) override;
  void found_again(std::uint32_t patch) override;
  void happened(std::uint32_t patch, double time, bool held) override;
  void pushed(std::uint32_t patch, const ContactConstraint::Impulse& change) override;

 private:
  /// The order of what happens in a substep. Patches that were detected again at its start come
  /// before all looks.
  struct Key {
    bool look = false;
    double moment = 0.0;
    std::uint32_t step = 0;
    PatchName patch;
    friend bool operator<(const Key& x, const Key& y) {
      return std::tie(x.look, x.moment, x.step, x.patch) <
             std::tie(y.look, y.moment, y.step, y.patch);
    }
  };
  struct Change {
    BodyId body = kNoBody;
    MovingBodies::Flight flight;
  };
  /// State that an impact gave its bodies.
  struct Record {
    Key key;
    double time = 0.0;
    bool held = false;
    std::uint32_t count = 0;
    std::array<Change, 2> changes;
  };
  using Push = KeyedPush<Key>;
  /// A patch that was found again, for those who judge others beside it.
  struct Finding {
    Key key;
    ContactPatch found;
  };
  /// News that ranks tell each other, by keys; findings come before the record of the same look.
  struct News {
    std::vector<Record> records;
    std::vector<Finding> findings;
  };
  /// A patch before it changed.
  struct PatchCopy {
    std::uint32_t patch;
    ContactConstraint constraint;
    ContactPatch found;
    PatchKey key;
    QueryCache cache;
    SweepGroups::Copy swept;
  };
  /// Everything at the start, of what is brought back as a whole.
  struct Start {
    ImpactQueue queue;
    QuietPatches::State quiet;
    std::vector<std::uint32_t> moved;
    std::vector<double> changed;
    std::vector<char> held;
  };

  Key key_of(std::uint32_t patch) const;
  bool is_shared(std::uint32_t body) const;
  static bool same(const Record& x, const Record& y);
  static bool same(const Finding& x, const Finding& y);
  void begin();
  struct Judged;
  template <class Write, class Read>
  void tell(std::span<const Judged> patches, const Write& write, const Read& read);
  std::vector<Judged> with_guests(std::span<const std::uint32_t> patches);
  void judge_in_order(std::span<const std::uint32_t> patches);
  void take_looks();
  void take_over(const Record& record);
  void bring_back();
  News hear();
  std::optional<Key> first_difference(const News& news) const;
  void drop_behind(const Key* mine, News& news);
  bool pushes_of_others() const;
  bool settle();

  RankRegion& region_;
  RankedSeams& seams_;
  ImpactPhase* phase_ = nullptr;
  bool looking_ = false;
  int rounds_ = 0;
  double ahead_ = 0.0;  ///< for any rank in the substep, in the words of the source
  News told_, heard_;
  /// Copies of others' patches as they were.
  std::vector<std::pair<ContactPatch*, ContactPatch>> guests_;
  std::vector<Push> pushes_;
  std::size_t first_pushes_ = 0;  ///< those of patches that were detected again at the start
  std::vector<PatchCopy> patches_;
  std::vector<MovingBodies::Copy> bodies_;
  std::vector<Start> start_;
  std::optional<StepFault> fault_;
};

}  // namespace tactus::detail
