#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "tactus/query.hpp"
#include "tactus/query/plan/pair_table.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

/// How far a query goes.
enum class Ask : std::uint8_t {
  distance,          ///< the whole answer; of surfaces that meet, what separates them
  sign,              ///< until the sign of the distance is proved
  signed_distance,   ///< as `distance`, but an open mesh, which has no inside, is refused
  unsigned_distance  ///< as `distance`, but 0 where a pair with an open mesh meets
};

/// Receives contact patches; a query without one (null) makes none.
class ManifoldSink {
 public:
  /// Into the caller's places, as many as there are.
  explicit ManifoldSink(std::span<Manifold> places) : places_(places) {}
  /// Into a list, which grows as needed and is never cut.
  explicit ManifoldSink(std::vector<Manifold>& list) : places_(list), list_(&list) {}

  /// The next place, or null when there is none left.
  Manifold* next() {
    if (count == static_cast<int>(places_.size())) {
      if (list_ == nullptr) {
        truncated = true;
        return nullptr;
      }
      list_->resize(std::max(kFirst, 2 * list_->size()));
      places_ = *list_;
    }
    return &places_[static_cast<std::size_t>(count++)];
  }
  /// The patches from number `first` on.
  std::span<Manifold> since(int first) const {
    return places_.subspan(static_cast<std::size_t>(first),
                           static_cast<std::size_t>(count - first));
  }

  int count = 0;
  bool truncated = false;
  /// Asked for at every step of a simulation: the depth of the pair is a bound of the contacts'
  /// depths there, which need not be proved the least.
  bool in_step = false;
  /// The contacts of a mesh may be those that the pair's cache keeps (see KeptContacts), while no
  /// point has moved by more than this part of the smaller extent; 0: they are found anew.
  double kept_while = 0.0;
  /// How far the body may come: walls of a mesh that it comes to lie over on this way are contacts,
  /// too; 0: none are.
  double way = 0.0;

 private:
  static constexpr std::size_t kFirst = 16;
  std::span<Manifold> places_;
  std::vector<Manifold>* list_ = nullptr;
};

/// A shape at a pose, both the caller's.
struct Placed {
  const Shape& shape;
  const Pose& pose;
};

/// One question about one pair, and the row of the table that decides how it is answered: what
/// every stage is handed.
struct PairContext {
  Placed a, b;
  const QueryOptions& options;
  Ask ask = Ask::distance;
  QueryCache* cache = nullptr;
  ManifoldSink* sink = nullptr;
  const PairRow& row = pair_row(a.shape, b.shape);

  /// This question about the pair (B, A).
  PairContext mirrored() const { return {b, a, options, ask, cache, sink}; }
};

/// No answer, and why.
inline DistanceResult no_answer(Status status) {
  DistanceResult r;
  r.status = status;
  return r;
}

/// The answer about (B, A) from that about (A, B).
void swap_roles(DistanceResult& result);
/// The patches of (B, A) from those of (A, B).
void swap_roles(Manifold& manifold);
void swap_roles(Derivatives& derivatives);

/// The answer to a question from that of the mirrored one: (B, A) is served by turning the answer
/// of (A, B) round, with its certificate, derivatives and patches.
template <class Serve>
DistanceResult serve_mirrored(const PairContext& pair, const Serve& serve) {
  const int before = pair.sink != nullptr ? pair.sink->count : 0;
  DistanceResult r = serve(pair.mirrored());
  swap_roles(r);
  if (pair.options.certificate != nullptr) swap_roles(*pair.options.certificate);
  if (pair.options.derivatives != nullptr) swap_roles(*pair.options.derivatives);
  if (pair.sink != nullptr) {
    for (Manifold& m : pair.sink->since(before)) swap_roles(m);
  }
  return r;
}

}  // namespace tactus::detail
