#include "tactus/io/scene/responses.hpp"

#include "tactus/io/json/json_fields.hpp"
#include "tactus/soft/contact/response.hpp"

namespace tactus::io {
namespace {

using R = soft::DeformableResponse;

std::vector<detail::Floor> floors_of(const Scene& scene) {
  std::vector<detail::Floor> floors;
  for (const SceneBody& body : scene.bodies) {
    const auto& plane = std::get<HalfSpace>(body.definition.shape.geometry());
    const Vec3 normal = body.definition.pose.rotation() * plane.normal();
    floors.push_back({normal, plane.offset() + dot(normal, body.definition.pose.position()), 0});
  }
  return floors;
}

detail::TetrahedraLists tetrahedra_of(const Scene& scene) {
  detail::TetrahedraLists lists;
  lists.reserve(scene.deformables.size());
  for (const SceneDeformable& body : scene.deformables)
    lists.emplace_back(body.definition.tetrahedra);
  return lists;
}

}  // namespace

void refuse_response(const Scene& scene) {
  if (scene.response == R::continuous) return;
  const std::string asked = "deformable.response " + std::string(to_string(scene.response));
  const bool freezes = scene.response != R::discrete;
  for (std::size_t i = 0; i < scene.deformables.size(); ++i) {
    const SceneDeformable& body = scene.deformables[i];
    const std::string path = JsonFields::path_of("deformables", i);
    if (scene.response != R::freeze_continuous && body.definition.tetrahedra.empty())
      throw InvalidInput(path + ".structure",
                         "a shell has no inside, which " + asked + " asks for");
    for (std::size_t k = 0; freezes && k < body.led.size(); ++k) {
      if (body.led[k].linear_velocity != Vec3{} || body.led[k].angular_velocity != Vec3{})
        throw InvalidInput(JsonFields::path_of(path + ".led", k),
                           "moves, which a body that " + asked + " has frozen cannot");
    }
  }
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const std::string path = JsonFields::path_of("bodies", i);
    if (freezes) throw InvalidInput(path, asked + " knows deformables alone");
    if (!std::holds_alternative<HalfSpace>(scene.bodies[i].definition.shape.geometry()))
      throw InvalidInput(path + ".shape", asked + " knows no rigid bodies but half-spaces");
  }
}

void step_with_response(const Scene& scene, soft::DeformableWorld& world) {
  if (scene.response == R::discrete) {
    if (world.step().failure.any()) return;
    detail::push_out(world, tetrahedra_of(scene), floors_of(scene));
    return;
  }
  const detail::Places start = detail::places_of(world);
  if (world.step().failure.any()) return;
  const detail::Places end = detail::places_of(world);
  const std::vector<double> times =
      scene.response == R::freeze_continuous
          ? detail::first_contacts(world, start, end, scene.deformable.max_threads)
          : detail::contacts_at_end(
                soft::points_in_tetrahedra(detail::bodies_at(end, tetrahedra_of(scene), world)),
                end.size());
  detail::freeze(world, start, times);
}

}  // namespace tactus::io
