#include "tactus/rigid/event/engine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tactus/query/dispatch.hpp"
#include "tactus/query/plan/pair_context.hpp"
#include "tactus/rigid/body/body_access.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/rigid/event/next_contact.hpp"

namespace tactus::detail {
namespace {

// Points within so many heights of a micro-collision of the nearest one collide with it.
constexpr double kPatch = 3.0;
// A pair that cannot be proved apart for any time at all is looked at again after this part of a
// step.
constexpr double kForced = 1e-9;
constexpr std::size_t kMostImpacts = 100000;

Mat3 world_axes(const Mat3& body_matrix, const Mat3& axes) {
  return axes * (body_matrix * transpose(axes));
}

bool before(const NearPair& x, const NearPair& y) {
  if (x.body_a != y.body_a) return x.body_a < y.body_a;
  if (x.body_b != y.body_b) return x.body_b < y.body_b;
  return x.image < y.image;
}

SolverBody solver_body(const Flight& flight, double time) {
  SolverBody out;
  const Body& body = flight.body();
  if (!flight.moves()) return out;
  const Rotation r = flight.rotation(time);
  out.linear = flight.velocity(time);
  out.angular = r.angular_velocity;
  if (!body.is_dynamic()) return out;
  out.inverse_mass = body.inverse_mass();
  out.inverse_inertia = world_axes(body.inverse_inertia(), r.axes);
  return out;
}

}  // namespace

bool ImpulseEngine::later(const Event& x, const Event& y) {
  if (x.time != y.time) return x.time > y.time;
  if (x.body_a != y.body_a) return x.body_a > y.body_a;
  if (x.body_b != y.body_b) return x.body_b > y.body_b;
  return x.image > y.image;
}

void ImpulseEngine::advance(std::vector<Body>& bodies, const ImpulseSettings& settings,
                            const PairRules& rules, const PeriodicBox& space, double now,
                            bool until_impact, ImpulseStatistics& statistics) {
  settings_ = &settings;
  rules_ = &rules;
  space_ = &space;
  statistics_ = &statistics;
  end_ = settings.time_step;
  now_ = now;
  impacts_.clear();
  contacts_.clear();
  events_.clear();
  take_off(bodies);
  find_pairs();
  statistics.candidate_pairs = static_cast<int>(tracks_.size());
  double reached = end_;
  while (!events_.empty()) {
    if (statistics.events >= settings.max_events) {
      statistics.status = Status::iteration_limit;
      reached = events_.front().time;
      break;
    }
    std::pop_heap(events_.begin(), events_.end(), later);
    const Event event = events_.back();
    events_.pop_back();
    if (event.version != tracks_[event.pair].version) continue;
    ++statistics.events;
    if (handle(event) && until_impact) {
      reached = event.time;
      break;
    }
  }
  land(bodies, reached);
  statistics.advanced = reached;
}

void ImpulseEngine::take_off(std::span<const Body> bodies) {
  flights_.clear();
  parts_.clear();
  boxes_.clear();
  for (const Body& body : bodies) {
    flights_.emplace_back(body, settings_->gravity);
    parts_.push_back(parts_of(body));
  }
  boxes_.reserve(flights_.size());
  for (std::uint32_t i = 0; i < flights_.size(); ++i) boxes_.push_back(swept_box(i, 0.0));
  pairs_of_.assign(bodies.size(), {});
  partner_.assign(bodies.size(), -1);
}

/// A box that holds the body from `time` to the end of the step.
Aabb ImpulseEngine::swept_box(std::uint32_t body, double time) const {
  const Flight& flight = flights_[body];
  const Body& b = flight.body();
  if (!flight.moves() || !std::isfinite(b.size())) return bounding_box(b.shape(), b.pose());
  const double left = end_ - time;
  const Vec3 from = flight.position(time), to = flight.position(end_);
  if (space_->any()) space_->check_step(b, to - from);
  // The parabola leaves the box of its ends by less than this.
  const Vec3 sag = flight.acceleration() * (0.125 * left * left);
  const double turned = std::min(flight.spin() * left, 2.0) * b.radius();
  const Aabb box = bounding_box(b.shape(), flight.pose(time));
  const Vec3 more = Vec3{std::fabs(sag.x), std::fabs(sag.y), std::fabs(sag.z)} +
                    Vec3{1.0, 1.0, 1.0} * (turned + 1e-9 * b.size());
  return {component_min(box.lower, box.lower + (to - from)) - more,
          component_max(box.upper, box.upper + (to - from)) + more};
}

void ImpulseEngine::find_pairs() {
  std::vector<BroadEntry> entries;
  entries.reserve(boxes_.size());
  for (std::uint32_t i = 0; i < boxes_.size(); ++i) entries.push_back({i, boxes_[i]});
  std::vector<BroadPair> found;
  std::vector<Periods> images;
  if (space_->any())
    periodic_.find(*space_, entries, broad_, kAllPairs, found, images);
  else
    broad_.find_pairs(entries, found);
  std::vector<NearPair> old;
  old.swap(pairs_);
  tracks_.clear();
  auto known = old.begin();
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto a = static_cast<std::uint32_t>(found[i].a);
    const auto b = static_cast<std::uint32_t>(found[i].b);
    const Body& body_a = flights_[a].body();
    const Body& body_b = flights_[b].body();
    if (!rules_->may_push(body_a, body_b)) continue;
    NearPair next{body_a.id(), body_b.id(), images.empty() ? Periods{} : images[i], {}, 0.0};
    while (known != old.end() && before(*known, next)) ++known;
    const bool is_known = known != old.end() && !before(next, *known);
    if (is_known) next = std::move(*known);
    schedule(add_pair(a, b, std::move(next), !is_known), 0.0);
  }
}

const Flight& ImpulseEngine::second_flight(std::uint32_t pair) {
  const Flight& flight = flights_[tracks_[pair].b];
  if (pairs_[pair].image == Periods{}) return flight;
  image_ = flight.beside(space_->shift(pairs_[pair].image));
  return image_;
}

std::uint32_t ImpulseEngine::add_pair(std::uint32_t a, std::uint32_t b, NearPair pair, bool fresh) {
  const auto place = static_cast<std::uint32_t>(pairs_.size());
  pairs_.push_back(std::move(pair));
  Track track;
  track.a = a;
  track.b = b;
  track.fresh = fresh;
  tracks_.push_back(track);
  pairs_of_[a].push_back(place);
  pairs_of_[b].push_back(place);
  return place;
}

void ImpulseEngine::schedule(std::uint32_t pair, double time) {
  if (!(time < end_)) return;
  const NearPair& bodies = pairs_[pair];
  events_.push_back(
      {time, bodies.body_a, bodies.body_b, bodies.image, pair, tracks_[pair].version});
  std::push_heap(events_.begin(), events_.end(), later);
}

double ImpulseEngine::micro_gap(const Track& track) const {
  return settings_->micro_height *
         std::min(flights_[track.a].body().size(), flights_[track.b].body().size());
}

CollisionLaw ImpulseEngine::law(const Track& track, double inverse_mass) const {
  const SurfacePair surface =
      rules_->surface(flights_[track.a].body().material(), flights_[track.b].body().material());
  CollisionLaw law;
  law.friction = surface.friction;
  law.restitution = surface.restitution;
  // A force may press bodies together harder than gravity does.
  const Vec3 apart = flights_[track.b].acceleration() - flights_[track.a].acceleration();
  const double pull = std::max(norm(settings_->gravity), norm(apart));
  law.micro_speed = std::sqrt(2.0 * pull * micro_gap(track));
  law.most_reserve = law.micro_speed * law.micro_speed / inverse_mass;
  return law;
}

/// Looks at a pair. True for a collision that is no micro-collision.
bool ImpulseEngine::handle(const Event& event) {
  Track& track = tracks_[event.pair];
  flights_[track.a].reach(event.time);
  flights_[track.b].reach(event.time);
  const Flight& a = flights_[track.a];
  const Flight& b = second_flight(event.pair);
  const bool leaving = track.leaving;
  track.leaving = false;
  const PairLook l = look(a, parts_[track.a], b, parts_[track.b], event.time, end_, leaving,
                          pairs_[event.pair].cache);
  if (l.gap < 0.0) {
    const double size = std::min(a.body().size(), b.body().size());
    statistics_->deepest_penetration = std::max(statistics_->deepest_penetration, -l.gap);
    statistics_->deepest_relative_penetration =
        std::max(statistics_->deepest_relative_penetration, -l.gap / size);
  }
  if (track.fresh && event.time == 0.0 && l.gap <= kPatch * micro_gap(track)) {
    // Put down touching: the energy of two throws.
    const double inverse_mass = a.body().inverse_mass() + b.body().inverse_mass();
    const CollisionLaw first = law(track, inverse_mass);
    pairs_[event.pair].reserve_momentum = std::sqrt(2.0 * first.most_reserve / inverse_mass);
  }
  track.fresh = false;
  if (leaving || (!l.arrived && l.next > event.time)) {
    schedule(event.pair, l.next > event.time ? l.next : event.time + kForced * end_);
    return false;
  }
  Impact impact;
  if (!collide_at(event.pair, event.time, impact)) {
    follow(event.pair, event.time);
    return false;
  }
  return !impact.micro;
}

/// Out of a contact in which nothing approaches.
void ImpulseEngine::follow(std::uint32_t pair, double time) {
  const Track& track = tracks_[pair];
  const PairLook l = look(flights_[track.a], parts_[track.a], second_flight(pair), parts_[track.b],
                          time, end_, true, pairs_[pair].cache);
  schedule(pair, l.next > time ? l.next : time + kForced * end_);
}

void ImpulseEngine::gather_points(std::uint32_t pair, double time, std::vector<Vec3>& places) {
  const Track& track = tracks_[pair];
  const Flight& a = flights_[track.a];
  const Flight& b = second_flight(pair);
  const Pose pose_a = a.pose(time), pose_b = b.pose(time);
  const double patch = kPatch * micro_gap(track);
  QueryOptions options;
  options.tolerance = 1e-12;
  options.margin = patch + 2.0 * touching_gap(a.body(), b.body());
  options.max_distance = options.margin;
  ManifoldSink sink(manifolds_);
  sink.in_step = true;
  const DistanceResult nearest = find_contacts(a.body().shape(), pose_a, b.body().shape(), pose_b,
                                               sink, options, &pairs_[pair].cache)
                                     .distance;
  require_answer(nearest, a.body(), b.body());
  points_.clear();
  places.clear();
  const Vec3 center_a = a.position(time), center_b = b.position(time);
  double deepest = -std::numeric_limits<double>::infinity();
  for (const Manifold& manifold : sink.since(0)) {
    for (const ContactPoint& p : manifold.span()) deepest = std::max(deepest, p.depth);
  }
  for (const Manifold& manifold : sink.since(0)) {
    for (const ContactPoint& p : manifold.span()) {
      if (p.depth < deepest - patch) continue;
      const Vec3 place = (p.point_a + p.point_b) * 0.5;
      points_.push_back({both(place - center_a, place - center_b), manifold.normal});
      places.push_back(place);
    }
  }
  // The points of a rim are some of many: where none of them approaches, the nearest one counts.
  const SolverBody body_a = solver_body(a, time), body_b = solver_body(b, time);
  const PairVelocities velocities{body_a, body_b};
  for (const ImpactPoint& p : points_) {
    if (dot(p.normal, velocities.between(p.arm)) < 0.0) return;
  }
  if (!is_finite(nearest.point_a) || !is_finite(nearest.point_b)) return;
  places.assign(1, (nearest.point_a + nearest.point_b) * 0.5);
  points_.assign(1, {both(places[0] - center_a, places[0] - center_b), nearest.normal});
}

/// False when nothing approaches.
bool ImpulseEngine::collide_at(std::uint32_t pair, double time, Impact& impact) {
  const Track& track = tracks_[pair];
  Flight& a = flights_[track.a];
  Flight& b = flights_[track.b];
  std::vector<Vec3> places;
  gather_points(pair, time, places);
  if (points_.empty()) return false;
  SolverBody body_a = solver_body(a, time), body_b = solver_body(b, time);
  const double inverse_mass = body_a.inverse_mass + body_b.inverse_mass;
  const PairVelocities velocities{body_a, body_b};
  std::size_t fastest = 0;
  double approach = 0.0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const double speed = -dot(points_[i].normal, velocities.between(points_[i].arm));
    if (speed > approach) fastest = i;
    approach = std::max(approach, speed);
  }
  double& momentum = pairs_[pair].reserve_momentum;
  double reserve = 0.5 * momentum * momentum * inverse_mass;
  const CollisionReport report =
      collide(points_, law(track, inverse_mass), body_a, body_b, reserve);
  if (!(report.approach > 0.0)) return false;
  momentum = std::sqrt(2.0 * reserve / inverse_mass);
  if (a.body().is_dynamic()) a.turn_off(time, body_a.linear, body_a.angular);
  if (b.body().is_dynamic()) b.turn_off(time, body_b.linear, body_b.angular);
  impact = {now_ + time,     pairs_[pair].body_a,     pairs_[pair].body_b,
            places[fastest], points_[fastest].normal, report.approach,
            report.impulse,  report.energy,           report.micro};
  note(pair, impact, report.normal_impulse);
  const std::uint32_t first = track.a, second = track.b;
  if (a.body().is_dynamic()) changed(first, time);
  if (b.body().is_dynamic()) changed(second, time);
  tracks_[pair].leaving = true;
  return true;
}

/// A body has left its path: its pairs are looked at again, and pairs with bodies that come into
/// its way now are new.
void ImpulseEngine::changed(std::uint32_t body, double time) {
  boxes_[body] = swept_box(body, time);
  for (const std::uint32_t pair : pairs_of_[body]) {
    Track& track = tracks_[pair];
    ++track.version;
    track.leaving = false;
    const std::uint32_t other = track.a == body ? track.b : track.a;
    track.sibling = partner_[other];
    partner_[other] = pair;
  }
  const bool repeats = space_->any() && std::isfinite(flights_[body].body().size());
  for (std::uint32_t other = 0; other < boxes_.size(); ++other) {
    if (other == body) continue;
    if (repeats && std::isfinite(flights_[other].body().size())) {
      space_->each_image(boxes_[other], boxes_[body],
                         [&](const Periods& image) { meet(body, other, image, time); });
    } else if (overlaps(boxes_[body], boxes_[other])) {
      meet(body, other, {}, time);
    }
  }
  for (const std::uint32_t pair : pairs_of_[body]) {
    partner_[tracks_[pair].a] = partner_[tracks_[pair].b] = -1;
  }
}

/// `other`, or its image so many periods beside it, has come into the way of `body`.
void ImpulseEngine::meet(std::uint32_t body, std::uint32_t other, const Periods& image,
                         double time) {
  const std::uint32_t a = std::min(body, other), b = std::max(body, other);
  const Periods from_b = b == other ? image : Periods{} - image;
  for (std::int64_t at = partner_[other]; at >= 0;
       at = tracks_[static_cast<std::size_t>(at)].sibling) {
    const auto pair = static_cast<std::uint32_t>(at);
    if (pairs_[pair].image == from_b) return schedule(pair, time);
  }
  const Body& body_a = flights_[a].body();
  const Body& body_b = flights_[b].body();
  if (!rules_->may_push(body_a, body_b)) return;
  schedule(add_pair(a, b, {body_a.id(), body_b.id(), from_b, {}, 0.0}, false), time);
}

void ImpulseEngine::note(std::uint32_t pair, const Impact& impact, double normal_impulse) {
  ImpulseStatistics& s = *statistics_;
  ++s.impacts;
  if (impact.micro) ++s.micro_impacts;
  (impact.energy < 0.0 ? s.energy_lost : s.energy_gained) += std::fabs(impact.energy);
  if (impacts_.size() < kMostImpacts) {
    impacts_.push_back(impact);
  } else {
    impacts_[static_cast<std::size_t>(s.impacts - 1) % kMostImpacts] = impact;
  }
  Track& track = tracks_[pair];
  if (track.contact < 0) {
    track.contact = static_cast<std::int32_t>(contacts_.size());
    Contact contact;
    contact.body_a = impact.body_a;
    contact.body_b = impact.body_b;
    contacts_.push_back(contact);
  }
  Contact& contact = contacts_[static_cast<std::size_t>(track.contact)];
  contact.point = impact.point;
  contact.normal = impact.normal;
  contact.normal_impulse += normal_impulse;
  contact.friction_impulse += impact.impulse - impact.normal * dot(impact.impulse, impact.normal);
}

/// Hands the motion back, and sorts what is kept.
void ImpulseEngine::land(std::vector<Body>& bodies, double time) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!flights_[i].moves()) continue;
    flights_[i].reach(time);
    BodyAccess::set_motion(bodies[i], flights_[i].motion(time));
  }
  bring_back(bodies);
  ImpulseStatistics& s = *statistics_;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const double inverse_mass =
        bodies[tracks_[i].a].inverse_mass() + bodies[tracks_[i].b].inverse_mass();
    const double momentum = pairs_[i].reserve_momentum;
    s.reserve += 0.5 * momentum * momentum * inverse_mass;
  }
  std::sort(pairs_.begin(), pairs_.end(), before);
  std::stable_sort(contacts_.begin(), contacts_.end(), [](const Contact& x, const Contact& y) {
    return std::pair(x.body_a, x.body_b) < std::pair(y.body_a, y.body_b);
  });
  if (s.impacts > static_cast<std::int64_t>(kMostImpacts)) {
    const auto first =
        static_cast<std::ptrdiff_t>(static_cast<std::size_t>(s.impacts) % kMostImpacts);
    std::rotate(impacts_.begin(), impacts_.begin() + first, impacts_.end());
  }
  s.contacts = s.contact_points = static_cast<int>(contacts_.size());
  flights_.clear();
  tracks_.clear();
}

/// Into the periodic space; images stay where they are beside each other.
void ImpulseEngine::bring_back(std::vector<Body>& bodies) {
  if (!space_->any()) return;
  std::vector<Periods> left;
  left.reserve(bodies.size());
  for (Body& body : bodies) left.push_back(space_->bring_back(body));
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    pairs_[i].image = pairs_[i].image + left[tracks_[i].b] - left[tracks_[i].a];
}

void ImpulseEngine::remember() {
  pairs_before_ = pairs_;
  impacts_before_.swap(impacts_);
  contacts_before_.swap(contacts_);
}

void ImpulseEngine::undo() noexcept {
  pairs_before_.swap(pairs_);
  impacts_before_.swap(impacts_);
  contacts_before_.swap(contacts_);
  flights_.clear();
  tracks_.clear();
}

void ImpulseEngine::remove(std::span<const BodyId> ids) {
  const auto names = [ids](const auto& pair) { return names_one_of(pair, ids); };
  std::erase_if(pairs_, names);
  std::erase_if(contacts_, names);
  std::erase_if(impacts_, names);
}

void ImpulseEngine::forget() {
  impacts_.clear();
  contacts_.clear();
}

}  // namespace tactus::detail
