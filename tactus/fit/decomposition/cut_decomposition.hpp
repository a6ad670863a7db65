#pragma once

#include <atomic>
#include <functional>
#include <optional>

#include "tactus/fit/decomposition/part.hpp"

namespace tactus::detail::fit {

/// The plane by which a part shall be cut; none when no plane divides it.
using ChoosePlane = std::function<std::optional<Plane>(const Part& part)>;

/// The plane after which the least is left to do: planes across the axes and the part's own axes,
/// and through its worst points, are tried, and the best are refined. Cost: some two hundred hulls,
/// on all processors; none is found once `cancel` is set. Source: wei2022coacd, which looks further
/// ahead; the measure of what is left is ours.
ChoosePlane plane_by_search(const PartJudge& judge, int threads,
                            const std::atomic<bool>* cancel = nullptr);

/// The plane through the deepest point below the hull, upright on the face above; of eight turns
/// about that face's normal the one that leaves the least error. Source: huotari2011, section 7.3,
/// which leaves the choice of the plane open.
ChoosePlane plane_through_cavity(const PartJudge& judge);

/// Cuts the worst part that is not good, or takes it apart where it does not hang together, until
/// all are good or stuck, there are `at_most`, or `go_on` (asked before each cut) says no.
void cut_parts(const PartJudge& judge, const ChoosePlane& choose, std::size_t at_most,
               const std::function<bool(const std::vector<Part>&)>& go_on,
               std::vector<Part>& parts);

}  // namespace tactus::detail::fit
