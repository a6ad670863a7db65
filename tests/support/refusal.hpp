#pragma once

#include <string>

#include "tactus/core.hpp"

namespace tactus::detail::test {

/// The message of the InvalidInput that `action` throws; empty when it throws none.
template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

}  // namespace tactus::detail::test
