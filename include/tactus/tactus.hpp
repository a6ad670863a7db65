#pragma once

// Everything but files (tactus/io.hpp) and the algorithms of the literature (tactus/classic.hpp),
// which are libraries of their own.
#include "tactus/body.hpp"
#include "tactus/broad.hpp"
#include "tactus/ccd.hpp"
#include "tactus/character.hpp"
#include "tactus/check.hpp"
#include "tactus/core.hpp"
#include "tactus/deform.hpp"
#include "tactus/fit.hpp"
#include "tactus/impulse_world.hpp"
#include "tactus/math.hpp"
#include "tactus/mesh.hpp"
#include "tactus/observer.hpp"
#include "tactus/planar.hpp"
#include "tactus/query.hpp"
#include "tactus/robot.hpp"
#include "tactus/shape.hpp"
#include "tactus/version.hpp"
#include "tactus/world.hpp"
