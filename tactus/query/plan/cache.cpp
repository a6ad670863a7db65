#include <algorithm>
#include <cmath>
#include <memory>

#include "tactus/core/archive.hpp"
#include "tactus/query.hpp"
#include "tactus/query/plan/pair_state.hpp"

namespace tactus {
using namespace detail;
namespace {

// Directions of convex pairs and kept contacts enter the next answer as they are.
void require_finite(const PairState& state) {
  if (const auto* warm = std::get_if<WarmStart>(&state.kept)) {
    if (!is_finite(warm->direction) || !is_finite(warm->turn))
      throw InvalidInput("cache", "must be finite");
  }
  const auto* mesh = std::get_if<NearestTriangle>(&state.kept);
  if (mesh != nullptr && !mesh->contacts.is_valid())
    throw InvalidInput("cache", "the contacts that it keeps are none");
  const LocalTriangles* const around = mesh != nullptr ? mesh->around.get() : nullptr;
  if (around != nullptr && !std::is_sorted(around->triangles.begin(), around->triangles.end()))
    throw InvalidInput("cache", "the triangles that it lists are not in order");
  if (const auto* parts = std::get_if<PartStates>(&state.kept)) {
    for (PartStates::Entry entry : parts->entries) {
      if (!entry.cache.empty()) require_finite(CacheAccess::state(entry.cache));
    }
  }
}

}  // namespace

QueryCache::QueryCache() noexcept = default;
QueryCache::QueryCache(const QueryCache& other) { *this = other; }
QueryCache::QueryCache(QueryCache&& other) noexcept = default;
QueryCache& QueryCache::operator=(QueryCache&& other) noexcept = default;
QueryCache::~QueryCache() = default;

QueryCache& QueryCache::operator=(const QueryCache& other) {
  if (this == &other) return *this;
  if (!other.state_) {
    state_.reset();
  } else if (state_) {
    *state_ = *other.state_;
  } else {
    state_ = std::make_unique<PairState>(*other.state_);
  }
  return *this;
}

bool operator==(const QueryCache& x, const QueryCache& y) {
  return x.empty() || y.empty() ? x.empty() == y.empty() : *x.state_ == *y.state_;
}

PairState& CacheAccess::state(QueryCache& cache) {
  if (!cache.state_) cache.state_ = std::make_unique<PairState>();
  return *cache.state_;
}

std::string QueryCache::to_bytes() const {
  QueryCache copy = *this;
  ArchiveWriter writer;
  transfer(writer, copy, true);
  return writer.take();
}

QueryCache QueryCache::from_bytes(std::string_view bytes) {
  QueryCache cache;
  ArchiveReader reader(bytes);
  transfer(reader, cache, true);
  if (!reader.at_end()) throw InvalidInput("cache", "there are bytes after the end");
  if (!cache.empty()) require_finite(CacheAccess::state(cache));
  return cache;
}

}  // namespace tactus
