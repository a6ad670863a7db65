#pragma once

#include <optional>
#include <string>

#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/rigid/exchange/exchange.hpp"
#include "tactus/rigid/exchange/parcel.hpp"

namespace tactus::detail {

/// Runs a part of a step that talks to no other rank; where it fails on any of them, it fails on
/// all with the same StepFault: that of the least bodies.
template <class Act>
void agree(Exchange& exchange, const Act& act) {
  std::optional<StepFailure> mine;
  try {
    act();
  } catch (const StepFault& fault) {
    mine = fault.failure();
  }
  if (!exchange.any(mine.has_value())) return;
  Parcel parcel;
  if (mine) {
    parcel.add(mine->error);
    parcel.add_list(mine->bodies);
    parcel.add_text(mine->reason);
  }
  std::optional<StepFailure> least;
  for (const std::string& message : exchange.gather(parcel.take())) {
    ParcelReader reader(message);
    if (reader.at_end()) continue;
    StepFailure failure;
    failure.error = reader.read<StepError>();
    failure.bodies = reader.read_list<BodyId>();
    failure.reason = reader.read_text();
    if (!least || failure.bodies < least->bodies) least = failure;
  }
  if (least) throw StepFault(least->error, least->bodies, least->reason);
}

}  // namespace tactus::detail
