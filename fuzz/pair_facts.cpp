#include "fuzz/pair_facts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "tactus/io/json/query_judge.hpp"
#include "tactus/query/plan/pair_state.hpp"
#include "tactus/query/plan/pair_table.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail::fuzz {
namespace {

// Squares and products of three lengths of this range are normal numbers.
constexpr double kLeastLength = 1e-47, kLargestLength = 1e49;

}  // namespace

bool has_answer(const Shape& a, const Shape& b, bool with_sign) {
  if (const auto* compound = std::get_if<Compound>(&a.geometry())) {
    return std::all_of(
        compound->parts().begin(), compound->parts().end(),
        [&](const Compound::Part& part) { return has_answer(part.shape, b, with_sign); });
  }
  if (b.type() == ShapeType::compound) return has_answer(b, a, with_sign);
  for (const Shape* shape : {&a, &b}) {
    const auto* mesh = std::get_if<Mesh>(&shape->geometry());
    if (mesh != nullptr && with_sign && !mesh->closed()) return false;
  }
  return pair_row(a, b).kind != PairKind::unsupported;
}

int parts_of(const Shape& shape) {
  const auto* compound = std::get_if<Compound>(&shape.geometry());
  if (compound == nullptr) return 1;
  int count = 0;
  for (const Compound::Part& part : compound->parts()) count += parts_of(part.shape);
  return count;
}

int pieces_of(const Shape& shape) {
  if (const auto* mesh = std::get_if<Mesh>(&shape.geometry()))
    return static_cast<int>(mesh->mesh().triangles.size());
  const auto* compound = std::get_if<Compound>(&shape.geometry());
  if (compound == nullptr) return 1;
  int count = 0;
  for (const Compound::Part& part : compound->parts()) count += pieces_of(part.shape);
  return count;
}

double reach(const Shape& shape) {
  const double r = bounding_radius(shape);
  if (std::isfinite(r)) return r;
  if (const auto* plane = std::get_if<HalfSpace>(&shape.geometry()))
    return std::fabs(plane->offset());
  double most = 0.0;
  if (const auto* compound = std::get_if<Compound>(&shape.geometry())) {
    for (const Compound::Part& part : compound->parts())
      most = std::max(most, norm(part.pose.position()) + reach(part.shape));
  }
  return most;
}

double extent_of_parts(const Shape& shape) {
  const auto* compound = std::get_if<Compound>(&shape.geometry());
  if (compound == nullptr)
    return shape.type() == ShapeType::halfspace ? 0.0 : io::pair_size(shape, shape);
  double most = 0.0;
  for (const Compound::Part& part : compound->parts())
    most = std::max(most, extent_of_parts(part.shape));
  return most;
}

// Reach of a shape; for a compound the least of its parts', since parts are asked pair by pair.
double least_reach(const Shape& shape) {
  const auto* compound = std::get_if<Compound>(&shape.geometry());
  if (compound == nullptr) return reach(shape);
  double least = std::numeric_limits<double>::infinity();
  for (const Compound::Part& part : compound->parts())
    least = std::min(least, least_reach(part.shape));
  return least;
}

void turn_away(QueryCache& cache) {
  if (cache.empty()) return;
  auto& kept = CacheAccess::state(cache).kept;
  if (auto* warm = std::get_if<WarmStart>(&kept)) {
    warm->direction = {-warm->direction.y, warm->direction.z, warm->direction.x};
  } else if (auto* nearest = std::get_if<NearestTriangle>(&kept)) {
    nearest->triangle /= 2;
  } else if (auto* front = std::get_if<bvh::MeshFront>(&kept)) {
    // Any covering of all pairs of triangles is a front: its order is not.
    std::reverse(front->apart.begin(), front->apart.end());
    front->nearest.triangle_a /= 2;
    front->nearest.triangle_b /= 3;
  } else if (auto* parts = std::get_if<PartStates>(&kept)) {
    for (PartStates::Entry& entry : parts->entries) turn_away(entry.cache);
    std::swap(parts->part_a, parts->part_b);
  }
}

std::string fault_of(const CheckReport& report) {
  for (int i = 0; i < kClaims; ++i) {
    if (report.claims[i] == Proof::refuted)
      return std::string(to_string(static_cast<Claim>(i))) + " refuted";
  }
  return report.failure;
}

PairLengths::PairLengths(const io::Query& query) {
  const Vec3 offset = query.pose_b.position() - query.pose_a.position();
  size = std::max(
      {io::pair_size(query.a, query.b), extent_of_parts(query.a), extent_of_parts(query.b)});
  lengths = reach(query.a) + reach(query.b) + norm(offset);
  world = max_abs(query.pose_a.position()) + max_abs(query.pose_b.position()) + lengths;
  const bool parts = query.a.type() == ShapeType::compound || query.b.type() == ShapeType::compound;
  const double least =
      parts ? least_reach(query.a) + least_reach(query.b) : lengths + max_abs(offset);
  normal = least > kLeastLength && world < kLargestLength;
}

}  // namespace tactus::detail::fuzz
