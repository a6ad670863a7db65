#include "tactus/rigid/ranks/rank_region.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tactus/rigid/body/body_access.hpp"
#include "tactus/rigid/body/find_body.hpp"
#include "tactus/rigid/ranks/pair_travel.hpp"

namespace tactus::detail {
namespace {

/// A dynamic body that reaches more columns beyond its own is known everywhere: else all others
/// would have to be known as far around.
constexpr std::int64_t kWide = 4;
/// Detections at the start of steps from one look at the shares to the next, and how many times the
/// mean the greatest share may be.
constexpr int kLookEvery = 50;
constexpr double kMostShare = 1.2;
/// Columns by which the place of an image may differ by rounding.
constexpr std::int64_t kImageSlack = 1;
/// Sums of lengths are so much too short at most, relative to them and to the width of columns.
constexpr double kRounding = 1e-9;

bool overlap(const Aabb& x, const Aabb& y) {
  for (int i = 0; i < 3; ++i)
    if (x.lower[i] > y.upper[i] || y.lower[i] > x.upper[i]) return false;
  return true;
}

}  // namespace

RankRegion::RankRegion(Exchange& exchange, std::span<const Body> bodies,
                       const WorldSettings& settings)
    : exchange_(exchange), everybody_(static_cast<std::size_t>(exchange.ranks())) {
  std::iota(everybody_.begin(), everybody_.end(), 0);
  width_ = columns_.choose_width(bodies);
  share_out(bodies, settings);
}

RankRegion::RankRegion(Exchange& exchange, std::span<const Body> part, BodyTable all,
                       const WorldSettings& settings)
    : exchange_(exchange),
      all_(std::move(all)),
      known_(part.size(), Known{exchange.rank(), {exchange.rank()}}),
      everybody_(static_cast<std::size_t>(exchange.ranks())),
      changed_(false),
      knows_all_(false) {
  std::iota(everybody_.begin(), everybody_.end(), 0);
  std::vector<double> radii;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const Body& kind = all_.kind(all_.id(i));
    if (kind.is_dynamic()) radii.push_back(kind.radius());
  }
  width_ = Columns::choose_width(std::span<double>(radii));
  Columns columns;
  columns.place(part, settings, width_);
  set_partition(cut(own_columns(columns, part)));
}

void RankRegion::share_out(std::span<const Body> bodies, const WorldSettings& settings) {
  Columns columns;
  columns.place(bodies, settings);
  std::vector<Columns::Column> places;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].is_dynamic())
      places.push_back(columns.wrapped(columns.of(static_cast<std::uint32_t>(i)), 0));
  set_partition(Partition::bisect(Partition::loads_of(std::move(places)), exchange_.ranks()));
}

int RankRegion::owner(const Columns::Column& a, bool moves_a, const Columns::Column& b,
                      bool moves_b) const {
  const auto [low, doublings] = columns_.lower(moves_a ? a : b, moves_b ? b : a);
  return partition_.owner(low, doublings);
}

bool RankRegion::owns(std::size_t a, std::size_t b, const Periods& image) const {
  return owner_of(a, b, image) == me();
}

/// A pair is swept with the lower column of those that move; if none does, it waits at that of
/// those that could.
int RankRegion::owner_of(std::size_t a, std::size_t b, const Periods& image) const {
  const std::span<const Body> bodies = *bodies_;
  // One of them is a sensor, and both are known everywhere.
  if (!bodies[a].is_dynamic() && !bodies[b].is_dynamic()) return kSensorRank;
  if (is_jointed(bodies[a]) || is_jointed(bodies[b])) return kJointRank;
  bool moves_a = bodies[a].is_awake(), moves_b = bodies[b].is_awake();
  if (!moves_a && !moves_b) {
    moves_a = bodies[a].is_dynamic();
    moves_b = bodies[b].is_dynamic();
  }
  return owner(columns_.of(static_cast<std::uint32_t>(a)), moves_a,
               columns_.of_image(static_cast<std::uint32_t>(b), space_.shift(image)), moves_b);
}

bool RankRegion::is_jointed(const Body& body) const {
  return body.is_awake() && std::binary_search(jointed_.begin(), jointed_.end(), body.id());
}

void RankRegion::begin(const Parts& parts) {
  space_ = PeriodicBox(parts.settings.periodic);
  if (changed_) {
    all_.assign(parts.bodies);
    width_ = columns_.choose_width(parts.bodies);
  }
  bodies_ = &parts.bodies;
  columns_.place(parts.bodies, parts.settings, width_);
  if (next_) partition_ = std::move(*std::exchange(next_, nullptr));
  if (!changed_) return;
  known_.assign(parts.bodies.size(), {});
  for (std::size_t i = 0; i < known_.size(); ++i) {
    if (!parts.bodies[i].is_dynamic()) continue;
    known_[i].home =
        partition_.owner(columns_.wrapped(columns_.of(static_cast<std::uint32_t>(i)), 0), 0);
  }
  changed_ = false;
}

/// Cuts anew where a rank has too many bodies: by their places alone, so that all ranks cut alike.
void RankRegion::balance(std::span<const Body> bodies) {
  std::vector<Columns::Column> mine = own_columns(columns_, bodies);
  const std::vector<std::size_t> shares = gather(mine.size());
  const double total =
      static_cast<double>(std::accumulate(shares.begin(), shares.end(), std::size_t{0}));
  const double most = static_cast<double>(*std::max_element(shares.begin(), shares.end()));
  if (most * static_cast<double>(shares.size()) <= kMostShare * total) return;
  partition_ = cut(std::move(mine));
}

/// Columns of the bodies that have their home here.
std::vector<Columns::Column> RankRegion::own_columns(const Columns& columns,
                                                     std::span<const Body> bodies) const {
  std::vector<Columns::Column> mine;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].is_dynamic() && is_home(i))
      mine.push_back(columns.wrapped(columns.of(static_cast<std::uint32_t>(i)), 0));
  return mine;
}

/// Cuts by the columns of all ranks, on all of them alike.
Partition RankRegion::cut(std::vector<Columns::Column> mine) const {
  Parcel parcel;
  parcel.add_list(Partition::loads_of(std::move(mine)));
  std::vector<Partition::Load> all;
  for (const std::string& message : exchange_.gather(parcel.take())) {
    const auto theirs = ParcelReader(message).read_list<Partition::Load>();
    all.insert(all.end(), theirs.begin(), theirs.end());
  }
  return Partition::bisect(all, exchange_.ranks());
}

Vec3 RankRegion::find_reaches(const Parts& parts) {
  Vec3 most;
  reaches_.assign(parts.bodies.size(), {});
  for (std::size_t i = 0; i < reaches_.size(); ++i) {
    const Body& body = parts.bodies[i];
    if (!body.is_dynamic() || !is_home(i)) continue;
    Reach& reach = reaches_[i];
    reach.box =
        swept_box(body, parts.settings, look_ahead(body, parts.settings, parts.time), parts.time);
    reach.box.lower = component_min(reach.box.lower, body.center_of_mass());
    reach.box.upper = component_max(reach.box.upper, body.center_of_mass());
    reach.low = columns_.at(reach.box.lower);
    reach.high = columns_.at(reach.box.upper);
    const Columns::Column at = columns_.of(static_cast<std::uint32_t>(i));
    const std::int64_t x = std::max(reach.high.x - at.x, at.x - reach.low.x);
    const std::int64_t y = std::max(reach.high.y - at.y, at.y - reach.low.y);
    reach.wide =
        std::max(x, y) > kWide || std::binary_search(jointed_.begin(), jointed_.end(), body.id());
    const Vec3& center = body.center_of_mass();
    if (!reach.wide)
      most = component_max(most, component_max(reach.box.upper - center, center - reach.box.lower));
  }
  return most;
}

/// All ranks hear of the wide bodies, and how far the others reach at most.
void RankRegion::agree_on_wide(const Parts& parts, Vec3& most, std::vector<Traveller>& arrived) {
  Parcel mine;
  mine.add(most);
  for (std::size_t i = 0; i < reaches_.size(); ++i) {
    if (!reaches_[i].wide) continue;
    Traveller wide = traveller(parts, i);
    wide.knowers = everybody_;
    mine.add(Wide{columns_.of(static_cast<std::uint32_t>(i)), parts.bodies[i].is_awake(),
                  is_jointed(parts.bodies[i]), reaches_[i].box});
    write(wide, mine);
  }
  wide_.clear();
  for (const std::string& message : exchange_.gather(mine.take())) {
    ParcelReader reader(message);
    most = component_max(most, reader.read<Vec3>());
    while (!reader.at_end()) {
      wide_.push_back(reader.read<Wide>());
      arrived.push_back(read_traveller(reader));
    }
  }
}

/// Marks the owners of columns, which go round where the space is periodic.
void RankRegion::mark(Columns::Column low, Columns::Column high, std::span<char> marks) const {
  const auto pieces = [](std::int64_t first, std::int64_t last, std::int64_t count) {
    std::vector<std::pair<std::int64_t, std::int64_t>> result;
    if (count == 0) return result.emplace_back(first, last), result;
    if (last - first + 1 >= count) return result.emplace_back(0, count - 1), result;
    first &= count - 1;
    last &= count - 1;
    if (first <= last) return result.emplace_back(first, last), result;
    result.emplace_back(0, last);
    result.emplace_back(first, count - 1);
    return result;
  };
  const Columns::Column period = columns_.period();
  for (const auto& [x0, x1] : pieces(low.x, high.x, period.x))
    for (const auto& [y0, y1] : pieces(low.y, high.y, period.y))
      partition_.mark_owners({x0, y0}, {x1, y1}, marks);
}

/// The owners of the columns in which a patch of the body may be swept. Its partner stands within
/// `most` of what the body reaches. A patch of two that move is swept with a column before the
/// body's own, or with a wider one that begins before it; one of a body that sleeps may be swept
/// with any column of its partner.
std::vector<int> RankRegion::knowers_of(std::size_t body, const Body& now, const Vec3& most) const {
  const Reach& reach = reaches_[body];
  const Columns::Column at = columns_.of(static_cast<std::uint32_t>(body));
  // Whoever has a patch of what a body touches that is no ball judges it beside this one (seams).
  const bool ball = now.shape().type() == ShapeType::sphere;
  const Vec3 near =
      most * ((ball ? 1.0 : 3.0) * (1.0 + kRounding)) + Vec3{1.0, 1.0, 1.0} * (kRounding * width_);
  const std::int64_t slack = space_.any() ? kImageSlack : 0;
  Columns::Column low = columns_.at(reach.box.lower - near);
  Columns::Column high = columns_.at(reach.box.upper + near);
  low = {low.x - slack, low.y - slack};
  high = {high.x + slack, high.y + slack};
  const std::int64_t farthest =
      std::max({at.x - low.x, at.y - low.y, high.x - at.x, high.y - at.y});
  std::int64_t wider = 1;
  while (wider < farthest) wider *= 2;
  if (ball && now.is_awake()) high = at;
  std::vector<char> marks(everybody_.size(), 0);
  mark({low.x - (wider - 1), low.y - (wider - 1)}, high, marks);
  for (const Wide& wide : wide_) {
    if (space_.any()) std::fill(marks.begin(), marks.end(), char{1});
    if (!overlap(wide.box, reach.box)) continue;
    if (wide.jointed) {
      marks[kJointRank] = 1;
      continue;
    }
    const bool none = !wide.moves && !now.is_awake();
    marks[static_cast<std::size_t>(
        owner(at, none || now.is_awake(), wide.column, none || wide.moves))] = 1;
  }
  std::vector<int> result;
  for (const int rank : everybody_)
    if (marks[static_cast<std::size_t>(rank)] != 0) result.push_back(rank);
  return result;
}

RankRegion::Traveller RankRegion::traveller(const Parts& parts, std::size_t body) const {
  const Body& b = parts.bodies[body];
  const auto i = static_cast<std::uint32_t>(body);
  Traveller result;
  result.motion = b.motion();
  result.force = b.force();
  result.torque = b.torque();
  if (parts.within_step) result.changes = parts.moving.changes(i);
  result.held = parts.held[body];
  result.home = partition_.owner(columns_.wrapped(columns_.of(i), 0), 0);
  return result;
}

void RankRegion::write(const Traveller& t, Parcel& parcel) {
  parcel.add(t.motion);
  parcel.add(t.force);
  parcel.add(t.torque);
  parcel.add(t.changes);
  parcel.add(t.held);
  parcel.add(t.home);
  parcel.add_list(t.knowers);
}

RankRegion::Traveller RankRegion::read_traveller(ParcelReader& reader) {
  Traveller t;
  t.motion = reader.read<BodyMotion>();
  t.force = reader.read<Vec3>();
  t.torque = reader.read<Vec3>();
  t.changes = reader.read<MovingBodies::Changes>();
  t.held = reader.read<Carried>();
  t.home = reader.read<int>();
  t.knowers = reader.read_list<int>();
  return t;
}

void RankRegion::send_bodies(const Parts& parts, const Vec3& most,
                             std::vector<Parcel>& parcels) const {
  for (std::size_t i = 0; i < parts.bodies.size(); ++i) {
    if (!parts.bodies[i].is_dynamic() || !is_home(i) || reaches_[i].wide) continue;
    Traveller t = traveller(parts, i);
    t.knowers = knowers_of(i, parts.bodies[i], most);
    for (const int rank : t.knowers) {
      parcels[static_cast<std::size_t>(rank)].add(true);
      write(t, parcels[static_cast<std::size_t>(rank)]);
    }
  }
  for (Parcel& parcel : parcels) parcel.add(false);
}

/// A pair goes to its new owner; what stays behind is found by no detection.
void RankRegion::send_pairs(const Parts& parts, std::vector<Parcel>& parcels) const {
  const ContactLists& lists = std::as_const(parts.contacts).memory().now();
  for (const ContactPair& pair : lists.pairs) {
    const std::size_t a = find_body(parts.bodies, pair.body_a),
                      b = find_body(parts.bodies, pair.body_b);
    if (std::max(a, b) >= parts.bodies.size()) continue;
    const int rank = owner_of(a, b, pair.image);
    if (rank == me()) continue;
    parcels[static_cast<std::size_t>(rank)].add(true);
    write_pair(lists, pair, parcels[static_cast<std::size_t>(rank)]);
  }
  for (Parcel& parcel : parcels) parcel.add(false);
}

void RankRegion::distribute(const Parts& parts) {
  const Exchange::About about(exchange_, Exchange::Topic::bodies);
  parts.contacts.memory().clear_removed();
  begin(parts);
  if (!parts.within_step && ++detections_ % kLookEvery == 0) balance(parts.bodies);
  std::vector<Traveller> arrived;
  Vec3 most = find_reaches(parts);
  agree_on_wide(parts, most, arrived);
  std::vector<Parcel> parcels(everybody_.size());
  send_bodies(parts, most, parcels);
  send_pairs(parts, parcels);
  std::vector<std::string> messages = messages_of(parcels);
  exchange_.trade(messages);
  PairArrivals pairs(parts.contacts.memory().now());
  for (const std::string& message : messages) {
    ParcelReader reader(message);
    while (reader.read<bool>()) arrived.push_back(read_traveller(reader));
    while (reader.read<bool>()) pairs.read(reader);
  }
  pairs.end();
  settle(parts, arrived);
  columns_.place(parts.bodies, parts.settings, width_);
  find_neighbours(parts.bodies);
  if (std::exchange(knows_all_, false)) reaches_ = {};
}

/// The bodies that are known from now on: those that arrived, and those that are known everywhere
/// because nothing but themselves moves them.
void RankRegion::settle(const Parts& parts, std::vector<Traveller>& arrived) {
  std::sort(arrived.begin(), arrived.end(),
            [](const Traveller& x, const Traveller& y) { return x.motion.id < y.motion.id; });
  std::vector<Body> bodies;
  std::vector<Known> known;
  std::vector<Carried> held;
  std::vector<MovingBodies::Changes> changes;
  bodies.reserve(arrived.size() + static_cast<std::size_t>(std::count_if(
                                      parts.bodies.begin(), parts.bodies.end(),
                                      [](const Body& body) { return !body.is_dynamic(); })));
  std::size_t old = 0;
  const auto take_old = [&](std::size_t i) {
    bodies.push_back(std::move(parts.bodies[i]));
    known.push_back({});
    held.push_back(parts.held[i]);
    changes.push_back(parts.within_step ? parts.moving.changes(static_cast<std::uint32_t>(i))
                                        : MovingBodies::Changes{});
  };
  // Up to an id.
  const auto pass = [&](BodyId id) {
    for (; old < parts.bodies.size() && parts.bodies[old].id() < id; ++old)
      if (!parts.bodies[old].is_dynamic()) take_old(old);
  };
  for (Traveller& t : arrived) {
    pass(t.motion.id);
    if (old < parts.bodies.size() && parts.bodies[old].id() == t.motion.id)
      bodies.push_back(std::move(parts.bodies[old++]));
    else
      bodies.push_back(all_.make(t.motion.id));
    BodyAccess::set_motion(bodies.back(), t.motion);
    BodyAccess::set_force(bodies.back(), t.force, t.torque);
    known.push_back({t.home, std::move(t.knowers)});
    held.push_back(t.held);
    changes.push_back(t.changes);
  }
  for (; old < parts.bodies.size(); ++old)
    if (!parts.bodies[old].is_dynamic()) take_old(old);
  parts.bodies.swap(bodies);
  parts.held.swap(held);
  known_.swap(known);
  if (parts.within_step) parts.moving.set_changes(changes);
}

void RankRegion::find_neighbours(std::span<const Body> bodies) {
  std::vector<char> marks(everybody_.size(), 0);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (const int rank : known_[i].knowers) marks[static_cast<std::size_t>(rank)] = 1;
  neighbours_.clear();
  for (const int rank : everybody_)
    if (rank != me() && marks[static_cast<std::size_t>(rank)] != 0) neighbours_.push_back(rank);
}

/// The bodies that have their home here, for others.
std::string RankRegion::tell_own(std::span<const Body> bodies) const {
  Parcel mine;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].is_dynamic() || !is_home(i)) continue;
    mine.add(bodies[i].motion());
    mine.add(bodies[i].force());
    mine.add(bodies[i].torque());
  }
  return mine.take();
}

/// All bodies, as their homes tell of them. Those that are not dynamic are the same everywhere.
std::vector<Body> RankRegion::all_of(std::span<const Body> bodies,
                                     const std::vector<std::string>& messages) const {
  std::vector<Body> all;
  all.reserve(all_.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const BodyId id = all_.id(i);
    while (next < bodies.size() && bodies[next].id() < id) ++next;
    if (next < bodies.size() && bodies[next].id() == id)
      all.push_back(bodies[next]);
    else
      all.push_back(all_.make(id));
  }
  for (const std::string& message : messages) {
    ParcelReader reader(message);
    while (!reader.at_end()) {
      const auto motion = reader.read<BodyMotion>();
      const auto force = reader.read<Vec3>(), torque = reader.read<Vec3>();
      Body& body = all[find_body(all, motion.id)];
      BodyAccess::set_motion(body, motion);
      BodyAccess::set_force(body, force, torque);
    }
  }
  return all;
}

void RankRegion::know_all(std::vector<Body>& bodies) {
  hide(bodies);
  if (knows_all_) return;
  bodies = all_of(bodies, exchange_.gather(tell_own(bodies)));
  knows_all_ = changed_ = true;
}

void RankRegion::show_on_first(std::vector<Body>& bodies) {
  if (std::exchange(shows_, true) || knows_all_) return;
  const std::vector<std::string> messages = exchange_.gather_on_first(tell_own(bodies));
  if (me() > 0) return;
  std::vector<Body> all = all_of(bodies, messages);
  own_ = std::exchange(bodies, std::move(all));
}

void RankRegion::hide(std::vector<Body>& bodies) {
  shows_ = false;
  if (!own_) return;
  bodies.swap(*own_);
  own_.reset();
}

void RankRegion::remember(std::span<const Body> bodies) {
  known_before_ = known_;
  changed_before_ = changed_;
  knew_all_before_ = knows_all_;
  before_.clear();
  for (const Body& body : bodies) before_.push_back(body.id());
}

/// Motions and forces are brought back after it.
void RankRegion::undo(std::vector<Body>& bodies) {
  if (knows_all_) return;
  std::vector<Body> then;
  for (const BodyId id : before_) {
    const std::size_t now = find_body(bodies, id);
    then.push_back(now < bodies.size() ? bodies[now] : all_.make(id));
  }
  bodies.swap(then);
  known_ = known_before_;
  changed_ = changed_before_;
  knows_all_ = knew_all_before_;
}

}  // namespace tactus::detail
