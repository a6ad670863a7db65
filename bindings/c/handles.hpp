#pragma once

#include <atomic>
#include <cstdint>

#include "tactus/shape.hpp"
#include "tactus/tactus.h"
#include "tactus/world.hpp"

/// A shape and the number of its owners.
struct tactus_shape {
  explicit tactus_shape(tactus::Shape made) : shape(std::move(made)) {}

  const tactus::Shape shape;
  std::atomic<std::int64_t> owners{1};
};

struct tactus_world {
  tactus::World world;
};

struct tactus_state {
  tactus::WorldState state;
};
