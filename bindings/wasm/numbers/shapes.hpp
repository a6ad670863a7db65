#pragma once

#include "bindings/wasm/registry.hpp"
#include "tactus/shape.hpp"

namespace tactus::wasm {

/// Shapes that JavaScript keeps.
Registry<Shape>& shapes();

}  // namespace tactus::wasm
