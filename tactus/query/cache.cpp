#include <memory>

#include "tactus/narrow/difference/warm_start.hpp"
#include "tactus/query.hpp"

namespace tactus {

QueryCache::QueryCache() noexcept = default;
QueryCache::QueryCache(const QueryCache& other) { *this = other; }
QueryCache::QueryCache(QueryCache&& other) noexcept = default;
QueryCache& QueryCache::operator=(QueryCache&& other) noexcept = default;
QueryCache::~QueryCache() = default;

QueryCache& QueryCache::operator=(const QueryCache& other) {
  if (!other.state_) {
    state_.reset();
  } else if (state_) {
    *state_ = *other.state_;
  } else {
    state_ = std::make_unique<detail::WarmStart>(*other.state_);
  }
  return *this;
}

bool operator==(const QueryCache& x, const QueryCache& y) noexcept {
  return x.state() == y.state();
}

detail::WarmStart& QueryCache::state() {
  if (!state_) state_ = std::make_unique<detail::WarmStart>();
  return *state_;
}

const detail::WarmStart& QueryCache::state() const noexcept {
  static const detail::WarmStart kEmpty;
  return state_ ? *state_ : kEmpty;
}

}  // namespace tactus
