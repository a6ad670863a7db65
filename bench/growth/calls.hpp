#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tactus::detail::bench {

/// A public call and how its arguments are made: `make(n)` prepares them for a size and returns the
/// call, which may be made any number of times.
struct GrowingCall {
  std::string name;
  std::function<std::function<void()>(int n)> make;
};

/// All calls whose arguments have a size.
std::vector<GrowingCall> growing_calls();

/// The parts of that list.
void add_mesh_calls(std::vector<GrowingCall>& rows);
void add_hull_calls(std::vector<GrowingCall>& rows);
void add_planar_calls(std::vector<GrowingCall>& rows);
void add_world_calls(std::vector<GrowingCall>& rows);

/// Keeps an answer from being left out.
inline volatile double kept = 0.0;

}  // namespace tactus::detail::bench
