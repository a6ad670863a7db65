#include "tactus/query/simple_pair.hpp"

#include "tactus/query/mesh/mesh_pairs.hpp"
#include "tactus/query/plan/convex.hpp"
#include "tactus/query/plan/halfspace.hpp"
#include "tactus/query/plan/pair_table.hpp"
#include "tactus/query/plan/write_answer.hpp"

namespace tactus::detail {
namespace {

// The shape of this type first.
template <class Serve>
DistanceResult in_order(const PairContext& pair, ShapeType type, const Serve& serve) {
  return pair.a.shape.type() == type ? serve(pair) : serve_mirrored(pair, serve);
}

// Half-spaces and meshes.
[[gnu::noinline]] void answer_other(const PairContext& pair, PairKind kind, DistanceResult& r) {
  if (kind == PairKind::halfspace) {
    r = in_order(pair, ShapeType::halfspace, answer_halfspace);
    if (pair.options.observer != nullptr) report_answer(pair, r);
  } else if (kind == PairKind::mesh && second_goes_first(pair.a, pair.b)) {
    r = serve_mirrored(pair, answer_mesh);
  } else if (kind == PairKind::mesh) {
    r = in_order(pair, ShapeType::mesh, answer_mesh);
  }
}

}  // namespace

void answer_simple_pair(const PairContext& pair, DistanceResult& r) {
  const PairKind kind = pair_kind(pair.a.shape.type(), pair.b.shape.type());
  if (kind == PairKind::convex) {
    answer_convex(pair, r);
  } else {
    answer_other(pair, kind, r);
  }
}

}  // namespace tactus::detail
