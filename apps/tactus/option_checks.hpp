#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>

namespace tactus::app {

/// Digits alone, without a leading zero, of a number from `low` to `high`.
CLI::Validator whole_number(std::uint64_t low,
                            std::uint64_t high = std::numeric_limits<std::uint64_t>::max());
/// Finite numbers above zero.
CLI::Validator positive_number();
/// Finite numbers not below zero.
CLI::Validator not_negative_number();

}  // namespace tactus::app
