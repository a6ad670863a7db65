// Every test program may ask for every method.
#include "tactus/classic.hpp"

namespace {

[[maybe_unused]] const bool kEnabled = [] {
  tactus::enable_classic_methods();
  return true;
}();

}  // namespace
