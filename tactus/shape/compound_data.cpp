#include "tactus/shape/compound_data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>

#include "tactus/core/constants.hpp"
#include "tactus/math/length.hpp"
#include "tactus/shape/access.hpp"
#include "tactus/shape/length.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

PartNode leaf(const Compound::Part& part, std::size_t index) {
  PartNode node;
  node.link = PartNode::kLeaf | static_cast<std::uint32_t>(index);
  const Aabb box = bounding_box(part.shape, part.pose);
  for (int i = 0; i < 3; ++i) {
    const bool bounded = std::isfinite(box.lower[i]) && std::isfinite(box.upper[i]);
    node.center[i] = bounded ? 0.5 * box.lower[i] + 0.5 * box.upper[i] : 0.0;
    node.half[i] = bounded ? 0.5 * box.upper[i] - 0.5 * box.lower[i] : kInfinity;
  }
  return node;
}

PartNode around(std::span<const PartNode> leaves) {
  Vec3 low{kInfinity, kInfinity, kInfinity}, high = -low;
  for (const PartNode& n : leaves) {
    low = component_min(low, n.center - n.half);
    high = component_max(high, n.center + n.half);
  }
  PartNode node;
  for (int i = 0; i < 3; ++i) {
    const bool bounded = std::isfinite(low[i]) && std::isfinite(high[i]);
    node.center[i] = bounded ? 0.5 * low[i] + 0.5 * high[i] : 0.0;
    node.half[i] = bounded ? 0.5 * high[i] - 0.5 * low[i] : kInfinity;
  }
  return node;
}

// Half of the parts on either side of the longest edge's middle, equal ones by their number.
void build(std::span<PartNode> leaves, std::vector<PartNode>& out) {
  if (leaves.size() == 1) {
    out.push_back(leaves.front());
    return;
  }
  PartNode node = around(leaves);
  int axis = 0;
  for (int i = 1; i < 3; ++i) {
    if (node.half[i] > node.half[axis]) axis = i;
  }
  const std::size_t middle = leaves.size() / 2;
  std::nth_element(leaves.begin(), leaves.begin() + static_cast<std::ptrdiff_t>(middle),
                   leaves.end(), [&](const PartNode& x, const PartNode& y) {
                     return std::tuple(x.center[axis], x.link) < std::tuple(y.center[axis], y.link);
                   });
  const std::size_t place = out.size();
  out.push_back(node);
  build(leaves.first(middle), out);
  out[place].link = static_cast<std::uint32_t>(out.size());
  build(leaves.subspan(middle), out);
}

}  // namespace

LocalBox local_box(const Shape& shape) {
  if (shape.type() == ShapeType::halfspace) return {{}, {kInfinity, kInfinity, kInfinity}, 0.0};
  if (const auto* mesh = std::get_if<Mesh>(&shape.geometry())) {
    const double reach = view_of(*mesh).tree.reach();
    return {view_of(*mesh).tree.middle(), {reach, reach, reach}, 0.0};
  }
  const Core& core = core_of(shape);
  LocalBox box{{}, core.half, core.radius - core.shrink};
  if (const auto* convex = std::get_if<Convex>(&shape.geometry())) {
    box.center = convex->lower() * 0.5 + convex->upper() * 0.5;
    box.half = component_max(convex->upper() - box.center, box.center - convex->lower());
  } else if (core.kind == CoreKind::custom) {
    Vec3 low, high;
    for (int i = 0; i < 3; ++i) {
      Vec3 axis;
      axis[i] = 1.0;
      high[i] = core.custom->support(axis)[i];
      low[i] = core.custom->support(-axis)[i];
    }
    box.center = low * 0.5 + high * 0.5;
    box.half = component_max(high - box.center, box.center - low);
  }
  return box;
}

CompoundData::CompoundData(std::vector<Compound::Part> list) : parts(std::move(list)) {
  std::vector<PartNode> leaves;
  leaves.reserve(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    leaves.push_back(leaf(parts[i], i));
    const auto* mesh = std::get_if<Mesh>(&parts[i].shape.geometry());
    open = open || (mesh != nullptr && !mesh->closed());
    const double away = safe_norm(parts[i].pose.position());
    reach = std::fmax(reach, away + bounding_radius(parts[i].shape));
    length = std::fmax(length, away + length_of(parts[i].shape));
  }
  nodes.reserve(2 * parts.size());
  build(leaves, nodes);
}

Compound as_prism(std::vector<Compound::Part> parts, Prism prism) {
  Compound compound(std::move(parts));
  auto data = std::make_shared<CompoundData>(ShapeAccess::data(compound));
  data->prism = std::move(prism);
  ShapeAccess::set_data(compound, std::move(data));
  return compound;
}

const Prism* prism_of(const Shape& shape) {
  const auto* compound = std::get_if<Compound>(&shape.geometry());
  if (compound == nullptr) return nullptr;
  const std::optional<Prism>& prism = ShapeAccess::data(*compound).prism;
  return prism ? &*prism : nullptr;
}

}  // namespace tactus::detail
