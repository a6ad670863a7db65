#pragma once

#include "classes.hpp"

// Worlds that a thread of Python steps are refused to the others meanwhile.
namespace pybind11::detail {

template <class W>
struct world_caster : type_caster_base<W> {
  bool load(handle from, bool convert) {
    if (!type_caster_base<W>::load(from, convert)) return false;
    tactus::python::require_idle(this->value);
    return true;
  }
};
template <>
struct type_caster<tactus::RigidWorld> : world_caster<tactus::RigidWorld> {};
template <>
struct type_caster<tactus::World> : world_caster<tactus::World> {};
template <>
struct type_caster<tactus::ImpulseWorld> : world_caster<tactus::ImpulseWorld> {};
template <>
struct type_caster<tactus::soft::DeformableWorld> : world_caster<tactus::soft::DeformableWorld> {};

}  // namespace pybind11::detail

namespace tactus::python {

/// Raises BufferError where arrays of `motions` look into the world's memory, and so while bodies
/// must neither come nor go.
void require_no_views(const RigidWorld& world);

/// Steps until done, or until the user interrupts it. Raises RuntimeError for a step that cannot be
/// done.
template <class World, class Step>
void run_steps(World& world, std::uint64_t steps, const Step& step) {
  const InUse lock(&world);
  run_parts(steps, [&](std::uint64_t) -> std::uint64_t {
    require_done(step());
    return 1;
  });
  raise_kept_error();
}

/// The list of a span, as copies.
template <class T>
std::vector<T> list_of(std::span<const T> span) {
  return {span.begin(), span.end()};
}

}  // namespace tactus::python
