#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "bindings/c/call.hpp"
#include "tactus/character.hpp"
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
  explicit tactus_world(tactus::World made) : world(std::move(made)) {}

  tactus::World world;
};

struct tactus_state {
  explicit tactus_state(tactus::WorldState saved) : state(std::move(saved)) {}

  tactus::WorldState state;
};

struct tactus_character {
  explicit tactus_character(const tactus::CharacterController& made) : controller(made) {}

  tactus::CharacterController controller;
};

namespace tactus::c {

/// Throw Misuse for null.
inline World& world_of(tactus_world* world) { return require(world, "world").world; }
inline const World& world_of(const tactus_world* world) { return require(world, "world").world; }

}  // namespace tactus::c
