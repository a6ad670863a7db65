#pragma once

#include "tactus/io.hpp"

namespace tactus::io {

/// Throws InvalidInput with the path of what the scene's response cannot serve: of the discrete
/// ones a shell, which has no inside; of `discrete` bodies but half-spaces; of the freezing ones
/// all rigid bodies, and vertices that are led on.
void refuse_response(const Scene& scene);

/// One step of a world without contacts, and the scene's response to what it has left.
void step_with_response(const Scene& scene, soft::DeformableWorld& world);

}  // namespace tactus::io
