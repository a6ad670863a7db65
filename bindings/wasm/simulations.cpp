// Worlds that calls build and change while they run.
#include <memory>
#include <string_view>
#include <vector>

#include "bindings/wasm/body_numbers.hpp"
#include "bindings/wasm/registry.hpp"
#include "tactus/io/run/live_world.hpp"
#include "tactus/io/run/simulation.hpp"

namespace tactus::wasm {
namespace {

struct Run {
  explicit Run(std::string_view setup) : simulation(setup) {}
  io::Simulation simulation;
  std::vector<BodyNumbers> poses;
  std::vector<double> ids;
  std::vector<ContactNumbers> contacts;
};

Registry<std::unique_ptr<Run>>& runs() {
  static Registry<std::unique_ptr<Run>> all;
  return all;
}

}  // namespace
}  // namespace tactus::wasm

using namespace tactus;
using namespace tactus::wasm;

TACTUS_EXPORT int tactus_simulation_open(const char* setup, int size) {
  return guarded(0, [&] {
    return runs().add(
        std::make_unique<Run>(std::string_view(setup, static_cast<std::size_t>(size))));
  });
}

TACTUS_EXPORT void tactus_simulation_close(int simulation) { runs().remove(simulation); }

TACTUS_EXPORT const char* tactus_simulation_call(int simulation, const char* request, int size) {
  return text_of([&] {
    return runs()
        .at(simulation)
        ->simulation.call(std::string_view(request, static_cast<std::size_t>(size)));
  });
}

TACTUS_EXPORT int tactus_simulation_step(int simulation, int count) {
  return guarded(0, [&] {
    if (count < 0) throw InvalidInput("count", "must not be negative");
    for (int i = 0; i < count; ++i) runs().at(simulation)->simulation.step();
    return 1;
  });
}

// Finds ids and poses of all bodies, ascending by id: their number, or -1.
TACTUS_EXPORT int tactus_simulation_find_bodies(int simulation) {
  return guarded(-1, [&] {
    Run& run = *runs().at(simulation);
    run.poses.clear();
    run.ids.clear();
    for (const Body& body : run.simulation.world().bodies()) {
      run.ids.push_back(static_cast<double>(body.id()));
      run.poses.push_back(body_numbers(body.pose().position(),
                                       to_quaternion(body.pose().rotation()),
                                       body.is_asleep() ? 0.0 : 1.0));
    }
    return static_cast<int>(run.ids.size());
  });
}

TACTUS_EXPORT const double* tactus_simulation_ids(int simulation) {
  return guarded<const double*>(nullptr, [&] { return runs().at(simulation)->ids.data(); });
}

// Eight numbers per body: position, quaternion w, x, y, z, and 0 for one that sleeps, else 1.
TACTUS_EXPORT const double* tactus_simulation_poses(int simulation) {
  return guarded<const double*>(nullptr, [&] { return numbers(runs().at(simulation)->poses); });
}

// Ten numbers per contact point: both bodies (ids), point, normal, depth, impulse.
TACTUS_EXPORT int tactus_simulation_find_contacts(int simulation) {
  return guarded(-1, [&] {
    Run& run = *runs().at(simulation);
    run.contacts.clear();
    for (const Contact& c : run.simulation.world().contacts())
      run.contacts.push_back(
          contact_numbers(c.body_a, c.body_b, c.point, c.normal, c.depth, c.normal_impulse));
    return static_cast<int>(run.contacts.size());
  });
}

TACTUS_EXPORT const double* tactus_simulation_contacts(int simulation) {
  return guarded<const double*>(nullptr, [&] { return numbers(runs().at(simulation)->contacts); });
}

TACTUS_EXPORT const char* tactus_simulation_hash(int simulation) {
  return text_of(
      [&] { return io::hash_text(runs().at(simulation)->simulation.world().state_hash()); });
}
