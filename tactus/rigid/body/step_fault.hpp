#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tactus/world.hpp"

namespace tactus::detail {

/// Why a step cannot go on: thrown within it, and caught by `step`, which takes everything back.
class StepFault : public std::runtime_error {
 public:
  StepFault(StepError error, std::vector<BodyId> bodies, const std::string& reason)
      : std::runtime_error(reason), failure_{error, std::move(bodies), reason} {}
  const StepFailure& failure() const noexcept { return failure_; }

 private:
  StepFailure failure_;
};

/// A fault of a deformable body, which has no id in a rigid world.
class SoftFault : public StepFault {
 public:
  SoftFault(StepError error, std::uint32_t body, const std::string& reason)
      : StepFault(error, {}, reason), body_(body) {}
  std::uint32_t body() const noexcept { return body_; }

 private:
  std::uint32_t body_;
};

/// Runs `step`; what it could not do, with std::bad_alloc, becomes a failure.
template <class Step>
StepFailure failure_of(const Step& step) {
  try {
    step();
  } catch (const StepFault& fault) {
    return fault.failure();
  } catch (const std::bad_alloc&) {
    // Short enough to need no memory.
    return {StepError::memory, {}, "out of memory"};
  }
  return {};
}

class BodyTable;
class Exchange;
struct Ranks;

/// For those who step a world as a part of something larger.
struct StepUndo {
  /// Shares a world out among ranks, each of which has the same one: from now on each moves its
  /// part, and all ranks make the same calls in the same order, those that save a state too. What
  /// tells of bodies, contacts and touches tells of those that this rank knows. `exchange` must
  /// outlive the world.
  static void share_out(World& world, Exchange& exchange);
  /// As `share_out`, of a world that no rank holds: each has other ones of the dynamic bodies
  /// (`add_part`), and the same `all`.
  static void share_out_parts(World& world, BodyTable all, Exchange& exchange);
  /// Adds a body to the table, and to the world where it is of this rank's part. Bodies come by
  /// ids.
  static void add_part(World& world, BodyTable& all, BodyDefinition body, bool mine);
  /// From now on, until the next step, every rank has all bodies of a world that was shared out,
  /// and all contacts of the last one.
  static void collect(World& world);
  /// As `collect`, on the first rank alone, to which `World::save` then gives the state alone: the
  /// others keep what they have.
  static void collect_on_first(World& world);
  /// This rank's part of a world that was shared out; null of others.
  static Ranks* ranks(World& world) noexcept;
  /// Are its contacts not those of this rank alone?
  static bool has_all_contacts(const World& world) noexcept;
  /// The last step, which was done, has never been; nothing but motions and forces may have been
  /// changed since. The statistics tell of no step.
  static void take_back(World& world) noexcept;
  /// Sets the outside force and torque of a body for the next step.
  static void set_force(World& world, BodyId id, const Vec3& force, const Vec3& torque);

 private:
  static void share_by(World& world, std::unique_ptr<Ranks> ranks);
};

/// Throws StepFault (`not_finite`) for a body whose motion is not a number everywhere.
void require_finite(const Body& body);

/// Throws StepFault (`no_answer`) where the query of a pair's contacts could not say anything.
void require_answer(const DistanceResult& found, const Body& a, const Body& b);

}  // namespace tactus::detail
