#pragma once

// The memory of a test program, which can run out when a test wants it: included by one source of
// it.
#include <cstdlib>
#include <new>

#include "tests/support/failing_memory.hpp"

[[gnu::noinline]] void* operator new(std::size_t size) {
  namespace test = tactus::detail::test;
  const long left = test::allocations_left;
  if (left > 0) test::allocations_left = left - 1;
  if (left != 0) {
    if (void* p = std::malloc(size)) return p;
  }
  throw std::bad_alloc();
}
// The library's own one of this kind need not call the one above, so that its memory would reach
// the wrong `delete`.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
