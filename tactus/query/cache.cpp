#include <memory>

#include "tactus/narrow/difference/warm_start.hpp"
#include "tactus/query.hpp"

namespace tactus {
namespace {

std::unique_ptr<detail::WarmStart> copy_of(const std::unique_ptr<detail::WarmStart>& state) {
  return state ? std::make_unique<detail::WarmStart>(*state) : nullptr;
}

}  // namespace

QueryCache::QueryCache() noexcept = default;
QueryCache::QueryCache(const QueryCache& other) : state_(copy_of(other.state_)) {}
QueryCache::QueryCache(QueryCache&& other) noexcept = default;
QueryCache& QueryCache::operator=(QueryCache&& other) noexcept = default;
QueryCache::~QueryCache() = default;

QueryCache& QueryCache::operator=(const QueryCache& other) {
  if (state_ && other.state_) {
    *state_ = *other.state_;
  } else {
    state_ = copy_of(other.state_);
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
