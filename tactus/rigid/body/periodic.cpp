#include "tactus/rigid/body/periodic.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "tactus/core.hpp"
#include "tactus/rigid/body/body_access.hpp"
#include "tactus/rigid/body/step_fault.hpp"

namespace tactus::detail {
namespace {

/// Cosine to a periodic axis below which a plane counts as parallel to it.
constexpr double kParallel = 1e-9;

std::string axis_name(int axis) { return {static_cast<char>('x' + axis)}; }

bool is_bounded(const Aabb& box) { return is_finite(box.lower) && is_finite(box.upper); }

Aabb moved(const Aabb& box, const Vec3& by) { return {box.lower + by, box.upper + by}; }

std::int32_t whole(double periods, const char* field, const char* reason) {
  if (!(std::fabs(periods) < kMostPeriods)) throw InvalidInput(field, reason);
  return static_cast<std::int32_t>(periods);
}

}  // namespace

Pose placed(const Pose& pose, const Vec3& shift) {
  if (max_abs(shift) == 0.0) return pose;
  return unchecked_pose(pose.position() + shift, pose.rotation());
}

void validate_periodic(const std::array<std::optional<PeriodicAxis>, 3>& axes) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto& axis = axes[i];
    if (!axis) continue;
    const std::string name = "periodic." + axis_name(static_cast<int>(i));
    const double lower = axis->lower, upper = axis->upper;
    if (!std::isfinite(lower) || !std::isfinite(upper)) throw InvalidInput(name, "must be finite");
    if (!(lower < upper) || !std::isfinite(upper - lower))
      throw InvalidInput(name, "must end above its start");
  }
}

PeriodicBox::PeriodicBox(const std::array<std::optional<PeriodicAxis>, 3>& axes,
                         const std::optional<PeriodicShear>& shear) {
  for (int i = 0; i < 3; ++i) {
    const auto& axis = axes[static_cast<std::size_t>(i)];
    if (!axis) continue;
    any_ = true;
    lower_[i] = axis->lower;
    length_[i] = axis->upper - axis->lower;
  }
  // Without a rate it is the plain periodic space, bit for bit.
  if (!shear || shear->rate == 0.0) return;
  sheared_ = true;
  flow_ = shear->flow;
  gradient_ = shear->gradient;
  speed_ = shear->rate * length_[gradient_];
}

void PeriodicBox::set_time(double time, double ahead) {
  offset_ = speed_ * time;
  ahead_ = ahead;
}

std::array<std::int32_t, 2> PeriodicBox::images_along(int axis, const Aabb& box,
                                                      const Aabb& all) const {
  const double length = length_[axis];
  return {static_cast<std::int32_t>(std::ceil((all.lower[axis] - box.upper[axis]) / length)),
          static_cast<std::int32_t>(std::floor((all.upper[axis] - box.lower[axis]) / length))};
}

Aabb PeriodicBox::image_box(const Aabb& box, const Periods& periods) const {
  Aabb image = moved(box, shift(periods));
  if (!sheared_) return image;
  const double way = image_velocity(periods)[flow_] * ahead_;
  image.lower[flow_] += std::min(way, 0.0);
  image.upper[flow_] += std::max(way, 0.0);
  return image;
}

Periods PeriodicBox::cell(const Vec3& place) const {
  const auto along = [&](int i, double at) {
    return whole(std::floor((at - lower_[i]) / length_[i]), "pose",
                 "lies over 1e9 periods outside of the periodic box");
  };
  Periods result{};
  for (int i = 0; i < 3; ++i)
    if (length_[i] > 0.0) result[static_cast<std::size_t>(i)] = along(i, place[i]);
  if (sheared_)
    result[static_cast<std::size_t>(flow_)] = along(flow_, place[flow_] - aside(result));
  return result;
}

Periods PeriodicBox::nearest(const Vec3& way, const char* field) const {
  const auto along = [&](int i, double at) {
    return -whole(std::nearbyint(at / length_[i]), field, "lies over 1e9 periods away");
  };
  Periods result{};
  for (int i = 0; i < 3; ++i)
    if (length_[i] > 0.0) result[static_cast<std::size_t>(i)] = along(i, way[i]);
  if (sheared_) result[static_cast<std::size_t>(flow_)] = along(flow_, way[flow_] + aside(result));
  return result;
}

void PeriodicBox::check(const Body& body) const {
  if (sheared_ && !body.is_dynamic())
    throw InvalidInput("type", "must be moving in a world under shear");
  if (sheared_ && body.is_sensor()) throw InvalidInput("sensor", "is not for a world under shear");
  const bool bounded = std::isfinite(body.size());
  const auto* plane = std::get_if<HalfSpace>(&body.shape().geometry());
  const Vec3 normal =
      plane != nullptr ? body.pose().rotation() * plane->normal() : Vec3{1.0, 1.0, 1.0};
  for (int i = 0; i < 3; ++i) {
    if (length_[i] == 0.0) continue;
    if (!bounded && std::fabs(normal[i]) > kParallel)
      throw InvalidInput("shape",
                         "an unbounded body must not cross the periodic axis " + axis_name(i));
    if (bounded && 2.0 * body.radius() > 0.5 * length_[i])
      throw InvalidInput("shape", "is wider than half of the period along " + axis_name(i));
  }
}

void PeriodicBox::check_step(const Body& body, const Vec3& way) const {
  try {
    check(body);
    cell(body.center_of_mass());
  } catch (const InvalidInput& error) {
    throw StepFault(StepError::place, {body.id()}, error.what());
  }
  for (int i = 0; i < 3; ++i) {
    if (length_[i] > 0.0 && !(std::fabs(way[i]) < length_[i]))
      throw StepFault(StepError::motion, {body.id()},
                      "its linear velocity moves it by a period in a step");
  }
}

Periods PeriodicBox::bring_back(Body& body) const {
  if (body.type() == BodyType::fixed || !std::isfinite(body.size())) return {};
  Periods left{};
  try {
    left = cell(body.center_of_mass());
  } catch (const InvalidInput& error) {
    throw StepFault(StepError::place, {body.id()}, error.what());
  }
  if (left == Periods{}) return left;
  BodyMotion motion = body.motion();
  motion.position -= shift(left);
  if (sheared_) motion.linear_velocity -= image_velocity(left);
  BodyAccess::set_motion(body, motion);
  return left;
}

/// Brings the boxes within the periodic one; `image_` tells by how many periods.
void PeriodicPairs::place(const PeriodicBox& space, std::span<const BroadEntry> entries) {
  boxes_.assign(entries.begin(), entries.end());
  owner_.resize(entries.size());
  image_.assign(entries.size(), {});
  Aabb all;
  bool any = false;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    owner_[i] = static_cast<std::uint32_t>(i);
    Aabb& box = boxes_[i].box;
    if (!is_bounded(box)) continue;
    image_[i] = Periods{} - space.cell((box.lower + box.upper) * 0.5);
    box = space.image_box(box, image_[i]);
    all = any ? merge(all, box) : box;
    any = true;
  }
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (is_bounded(boxes_[i].box)) add_images(space, i, all);
}

/// Adds the images of the entry's box that reach into `all`.
void PeriodicPairs::add_images(const PeriodicBox& space, std::size_t entry, const Aabb& all) {
  const Aabb box = boxes_[entry].box;
  space.each_image(box, all, [&](const Periods& image) {
    if (image == Periods{}) return;
    boxes_.push_back({boxes_.size(), space.image_box(box, image)});
    owner_.push_back(static_cast<std::uint32_t>(entry));
    image_.push_back(image_[entry] + image);
  });
}

void PeriodicPairs::find(const PeriodicBox& space, std::span<const BroadEntry> entries,
                         AutoBroadPhase& broad, std::size_t most, std::vector<BroadPair>& pairs,
                         std::vector<Periods>& images) {
  place(space, entries);
  broad.find_pairs(boxes_, near_, most);
  const std::size_t count = entries.size();
  found_.clear();
  for (const BroadPair& near : near_) {
    // Every pair is found from its first body, which lies within the box.
    if (near.a >= count) continue;
    const std::uint32_t other = owner_[near.b];
    const bool image = near.b >= count;
    if (image && near.a >= other) continue;
    const bool bounded = is_bounded(entries[near.a].box) && is_bounded(entries[other].box);
    if (image && !bounded) continue;
    found_.push_back({{near.a, other}, bounded ? image_[near.b] - image_[near.a] : Periods{}});
  }
  std::sort(found_.begin(), found_.end());
  pairs.clear();
  images.clear();
  for (const Found& found : found_) {
    pairs.push_back(found.pair);
    images.push_back(found.image);
  }
}

}  // namespace tactus::detail
