#include "tactus/rigid/event/ranked_gas.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "tactus/rigid/exchange/parcel.hpp"

namespace tactus::detail {
namespace {

/// Way of a sphere in a window at most, in radii.
constexpr double kFarthest = 1.0;
/// Windows are as long as the fastest sphere takes for this part of it: others become faster.
constexpr double kCautious = 0.8;

}  // namespace

RankedGas::RankedGas(Exchange& exchange, double radius, double edge,
                     const std::vector<Vec3>& positions, const std::vector<Vec3>& velocities)
    : exchange_(exchange), radius_(radius), edge_(edge), count_(positions.size()) {
  // As near to cubes as the number of ranks allows.
  int rest = exchange.ranks();
  for (int factor = 2; rest > 1;) {
    if (rest % factor != 0) {
      ++factor;
      continue;
    }
    *std::min_element(std::begin(boxes_), std::end(boxes_)) *= factor;
    rest /= factor;
  }
  // Refuses what is no gas.
  if (exchange.rank() == 0 || positions.size() != velocities.size())
    SphereGas(radius, edge, positions, velocities);
  for (std::uint32_t i = 0; i < positions.size(); ++i)
    if (home_of(positions[i]) == exchange.rank())
      own_.push_back({i, {positions[i], velocities[i], 0.0}, {}});
}

int RankedGas::home_of(const Vec3& place) const {
  int rank = 0;
  for (int axis = 2; axis >= 0; --axis) {
    const double part = place[axis] / edge_ - std::floor(place[axis] / edge_);
    rank = rank * boxes_[axis] + std::min(static_cast<int>(part * boxes_[axis]), boxes_[axis] - 1);
  }
  return rank;
}

/// Distance of a place from the box of a rank, going round.
double RankedGas::gap(const Vec3& place, int rank) const {
  double square = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double width = edge_ / boxes_[axis];
    const double middle = (rank % boxes_[axis] + 0.5) * width;
    rank /= boxes_[axis];
    double off = place[axis] - middle;
    off -= edge_ * std::floor(off / edge_ + 0.5);
    const double outside = std::max(std::fabs(off) - 0.5 * width, 0.0);
    square += outside * outside;
  }
  return std::sqrt(square);
}

double RankedGas::longest_window() const {
  double fastest = 0.0;
  for (const Own& sphere : own_) fastest = std::max(fastest, norm(sphere.flight.velocity));
  fastest = exchange_.most(fastest);
  return shorter_ * kCautious * kFarthest * radius_ / fastest;
}

/// Spheres go to the homes of the places where they are now, and to all whose boxes are near.
SphereGas RankedGas::begin_window() {
  struct Sent {
    std::uint32_t id;
    SphereFlight flight;
  };
  const auto ranks = static_cast<std::size_t>(exchange_.ranks());
  // Both may fly as far.
  const double reach = 2.0 * radius_ * (1.0 + kFarthest) * (1.0 + 1e-9);
  std::vector<Parcel> parcels(ranks);
  for (const Own& sphere : own_) {
    const Vec3 place = sphere.flight.at(time_);
    const int home = home_of(place);
    for (std::size_t r = 0; r < ranks; ++r)
      if (static_cast<int>(r) == home || gap(place, static_cast<int>(r)) <= reach)
        parcels[r].add(Sent{sphere.id, sphere.flight});
  }
  std::vector<std::string> messages = messages_of(parcels);
  exchange_.trade(messages);
  std::vector<SphereGas::Member> members;
  for (const std::string& message : messages) {
    ParcelReader reader(message);
    while (!reader.at_end()) {
      const auto sent = reader.read<Sent>();
      members.push_back({sent.id, sent.flight, home_of(sent.flight.at(time_)) == exchange_.rank()});
    }
  }
  std::sort(members.begin(), members.end(),
            [](const auto& x, const auto& y) { return x.id < y.id; });
  own_.clear();
  for (const SphereGas::Member& member : members) {
    if (!member.own) {
      ++counts_.ghosts;
      continue;
    }
    Own& sphere = own_.emplace_back(Own{member.id, member.flight, {}});
    for (int r = 0; r < exchange_.ranks(); ++r)
      if (r != exchange_.rank() && gap(member.flight.at(time_), r) <= reach)
        sphere.knowers.push_back(r);
  }
  return {radius_, edge_, count_, time_, members};
}

/// Collisions of own spheres, for those who know them.
std::vector<std::string> RankedGas::tell(const SphereGas& gas) const {
  std::vector<Parcel> parcels(static_cast<std::size_t>(exchange_.ranks()));
  for (const SphereGas::Collision& collision : gas.found()) {
    const auto sphere =
        std::lower_bound(own_.begin(), own_.end(), collision.sphere,
                         [](const Own& own, std::uint32_t wanted) { return own.id < wanted; });
    for (const int rank : sphere->knowers) parcels[static_cast<std::size_t>(rank)].add(collision);
  }
  return messages_of(parcels);
}

/// The window, gone through until nobody hears anything new.
SphereGas RankedGas::settle(const SphereGas& start, double until) {
  std::vector<std::string> heard(static_cast<std::size_t>(exchange_.ranks()));
  SphereGas gas = start;
  gas.advance(until);
  for (std::uint64_t round = 1;; ++round) {
    std::vector<std::string> messages = tell(gas);
    exchange_.trade(messages);
    const bool news = messages != heard;
    if (!exchange_.any(news)) {
      counts_.rounds += round;
      counts_.most_rounds = std::max(counts_.most_rounds, round);
      return gas;
    }
    if (!news) continue;
    heard = std::move(messages);
    std::vector<SphereGas::Collision> told;
    for (const std::string& message : heard) {
      ParcelReader reader(message);
      while (!reader.at_end()) told.push_back(reader.read<SphereGas::Collision>());
    }
    std::sort(told.begin(), told.end(), [](const auto& x, const auto& y) {
      return x.time != y.time ? x.time < y.time : x.sphere < y.sphere;
    });
    gas = start;
    gas.expect(told);
    gas.advance(until);
    gas.expect({});
  }
}

void RankedGas::advance(double time) {
  while (time_ < time) {
    const SphereGas start = begin_window();
    const double window = longest_window();
    const double until = window < time - time_ ? time_ + window : time;
    const SphereGas gas = settle(start, until);
    if (exchange_.any(gas.longest_way() > kFarthest * radius_)) {
      shorter_ *= 0.5;
      ++counts_.again;
      continue;
    }
    shorter_ = std::min(2.0 * shorter_, 1.0);
    ++counts_.windows;
    for (std::size_t i = 0, k = 0; k < own_.size(); ++i)
      if (gas.id(i) == own_[k].id) own_[k++].flight = gas.flight(i);
    collisions_ += gas.collisions();
    crossings_ += gas.crossings();
    time_ = until;
  }
}

std::uint64_t RankedGas::sum(std::uint64_t mine) const {
  std::uint64_t result = 0;
  Parcel parcel;
  parcel.add(mine);
  for (const std::string& message : exchange_.gather(parcel.take()))
    result += ParcelReader(message).read<std::uint64_t>();
  return result;
}

std::vector<Vec3> RankedGas::velocities() const {
  struct Told {
    std::uint32_t id;
    Vec3 velocity;
  };
  Parcel parcel;
  for (const Own& sphere : own_) parcel.add(Told{sphere.id, sphere.flight.velocity});
  std::vector<Vec3> all(count_);
  for (const std::string& message : exchange_.gather(parcel.take())) {
    ParcelReader reader(message);
    while (!reader.at_end()) {
      const auto told = reader.read<Told>();
      all[told.id] = told.velocity;
    }
  }
  return all;
}

}  // namespace tactus::detail
