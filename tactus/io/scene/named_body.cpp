#include "tactus/io/scene/named_body.hpp"

namespace tactus::io {

const SceneBody& named_body(const nlohmann::json& value, const std::string& path,
                            const Scene& scene) {
  if (!value.is_string()) throw InvalidInput(path, "must be the name of a body");
  const auto& name = value.get_ref<const std::string&>();
  const SceneBody* found = nullptr;
  for (const SceneBody& body : scene.bodies) {
    if (body.name != name) continue;
    if (found != nullptr) throw InvalidInput(path, "several bodies are called " + name);
    found = &body;
  }
  if (found == nullptr) throw InvalidInput(path, "there is no body called " + name);
  return *found;
}

}  // namespace tactus::io
