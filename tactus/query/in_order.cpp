#include "tactus/query/in_order.hpp"

#include "tactus/query/mesh/mesh_pairs.hpp"
#include "tactus/query/plan/halfspace.hpp"
#include "tactus/query/plan/write_answer.hpp"

namespace tactus::detail {
namespace {

// The shape of this type first.
template <class Serve>
DistanceResult in_order(const PairContext& pair, ShapeType type, const Serve& serve) {
  return pair.a.shape.type() == type ? serve(pair) : serve_mirrored(pair, serve);
}

}  // namespace

void answer_in_order(const PairContext& pair, DistanceResult& r) {
  if (pair.row.kind == PairKind::halfspace) {
    r = in_order(pair, ShapeType::halfspace, answer_halfspace);
    if (pair.options.observer != nullptr) report_answer(pair, r);
  } else if (pair.row.kind == PairKind::mesh) {
    r = second_goes_first(pair.a, pair.b) ? serve_mirrored(pair, answer_mesh)
                                          : in_order(pair, ShapeType::mesh, answer_mesh);
  }
}

}  // namespace tactus::detail
