#pragma once

#include <cstdlib>

namespace tactus::detail::test {

/// `full` random cases, times the factor of the environment variable TACTUS_TEST_EFFORT (default
/// 1), at least one. The sanitizer builds run with a tenth; a long hunt runs with 100.
inline int effort(int full) {
  const char* text = std::getenv("TACTUS_TEST_EFFORT");
  const double factor = text != nullptr ? std::atof(text) : 1.0;
  const double cases = factor * full;
  return cases < 1.0 ? 1 : static_cast<int>(cases);
}

}  // namespace tactus::detail::test

/// The first line of a test that simulates for many seconds and whose length cannot be cut: with
/// less than full effort (the sanitizer builds) it is left out, since shorter tests run the same
/// code.
#define TACTUS_LONG_TEST() \
  if (::tactus::detail::test::effort(10) < 10) GTEST_SKIP() << "runs with full effort only"
