#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tactus/rigid/contact/contact_set.hpp"
#include "tactus/rigid/exchange/exchange.hpp"
#include "tactus/rigid/exchange/parcel.hpp"
#include "tactus/rigid/motion/moving_bodies.hpp"
#include "tactus/rigid/ranks/body_table.hpp"
#include "tactus/rigid/ranks/partition.hpp"

namespace tactus::detail {

/// Knowledge of one rank about a world that several ranks share.
///
/// A rank owns columns (`Partition`), and with them every pair of bodies whose patches are swept
/// with one of its columns. It knows the bodies that these pairs may have within the time of a
/// detection, and no others: a body is known to the owners of the columns before it that it, or
/// what it may meet, reaches. All who know a body move it alike. Its *home*, the owner of the
/// column that it stood in at the last detection, sends its motion to all who are to know it next.
/// Bodies that are not dynamic, and dynamic ones that span many columns, are known everywhere.
class RankRegion final : public PairFilter {
 public:
  /// All ranks hold all bodies; rank 0 holds the pairs. `exchange` must outlive it.
  RankRegion(Exchange& exchange, std::span<const Body> bodies, const WorldSettings& settings);
  /// Each rank holds other ones of the dynamic bodies, beside all that are not dynamic; `all` are
  /// those of all ranks.
  RankRegion(Exchange& exchange, std::span<const Body> part, BodyTable all,
             const WorldSettings& settings);

  Exchange& exchange() const { return exchange_; }
  int me() const { return exchange_.rank(); }
  /// Ranks with which any body is shared, in ascending order.
  std::span<const int> neighbours() const { return neighbours_; }
  /// The ranks that know a dynamic body, in ascending order, this one among them.
  std::span<const int> knowers(std::size_t body) const {
    return knows_all_ ? std::span<const int>(everybody_) : known_[body].knowers;
  }
  /// Do others know a dynamic body, too?
  bool is_shared(std::size_t body) const { return knowers(body).size() > 1; }
  int home(std::size_t body) const { return known_[body].home; }
  bool is_home(std::size_t body) const { return home(body) == me(); }
  /// Width of columns, of all bodies.
  double width() const { return width_; }

  /// The parts of a world that a detection needs.
  struct Parts {
    std::vector<Body>& bodies;
    ContactSet& contacts;
    MovingBodies& moving;
    const WorldSettings& settings;
    double time;       ///< of the detection
    bool within_step;  ///< `moving` knows how contacts changed these bodies
    std::vector<Carried>& held;
  };
  /// Before a detection: brings bodies and the memory of pairs to those who are to have them.
  void distribute(const Parts& parts);
  /// Bodies that joints hold, by id: from the next `distribute` on they are known everywhere, and
  /// one rank owns their pairs while they move, as it solves the joints.
  void set_jointed(std::vector<BodyId> ids) { jointed_ = std::move(ids); }
  static constexpr int kJointRank = 0;
  /// Finds what sensors see of bodies that nothing pushes.
  static constexpr int kSensorRank = 0;
  bool solves_joints() const { return me() == kJointRank; }
  /// Do joints hold a body that moves?
  bool is_jointed(const Body& body) const;
  /// Pairs of bodies as they were distributed.
  bool owns(std::size_t a, std::size_t b, const Periods& image) const override;
  int owner_of(std::size_t a, std::size_t b, const Periods& image) const;

  /// From now on all ranks know all bodies again, in `bodies`, as their homes have them.
  void know_all(std::vector<Body>& bodies);
  /// Until `hide`, `bodies` are all bodies on the first rank, and what is saved goes to it alone.
  /// Nobody knows more than before: `know_all`, too, begins with `hide`.
  void show_on_first(std::vector<Body>& bodies);
  void hide(std::vector<Body>& bodies);
  bool shows_on_first() const { return shows_; }
  bool saves_on_first() const { return saves_on_first_ || shows_; }
  /// A saved state goes to the first rank alone, until the end of the object.
  class SavesOnFirst {
   public:
    explicit SavesOnFirst(RankRegion& region) : region_(region) { region.saves_on_first_ = true; }
    SavesOnFirst(const SavesOnFirst&) = delete;
    SavesOnFirst& operator=(const SavesOnFirst&) = delete;
    ~SavesOnFirst() { region_.saves_on_first_ = false; }

   private:
    RankRegion& region_;
  };
  /// The bodies that this rank knows, where `bodies` may be shown ones.
  std::span<const Body> known(std::span<const Body> bodies) const {
    return own_ ? std::span<const Body>(*own_) : bodies;
  }
  /// Bodies were added, removed or changed, on all ranks alike, since `know_all`: their regions are
  /// found anew.
  void look_again() { changed_ = true; }
  bool knows_all() const { return knows_all_; }
  /// A value of each rank, by rank.
  template <class T>
  std::vector<T> gather(const T& mine) const {
    Parcel parcel;
    parcel.add(mine);
    std::vector<T> all;
    for (const std::string& message : exchange_.gather(parcel.take()))
      all.push_back(ParcelReader(message).read<T>());
    return all;
  }
  /// How many bodies there are on all ranks, where none were added or removed since the last step.
  std::size_t count() const { return all_.size(); }
  /// Is a dynamic body counted here, and nowhere else?
  bool counts(std::size_t body) const { return knows_all_ ? me() == 0 : is_home(body); }
  /// All bodies of the world, but not their motions, as they were distributed.
  const BodyTable& table() const { return all_; }
  /// Before a step; and after one that has failed.
  void remember(std::span<const Body> bodies);
  void undo(std::vector<Body>& bodies);

  /// Cuts by the places of all bodies, which all ranks must know.
  void share_out(std::span<const Body> bodies, const WorldSettings& settings);
  /// Any other cuts, from the next `distribute` on: the same on all ranks.
  void set_partition(Partition partition) {
    next_ = std::make_unique<Partition>(std::move(partition));
  }

 private:
  struct Known {
    int home = 0;
    std::vector<int> knowers;  ///< of dynamic bodies, unless everybody knows all
  };
  /// Columns that a body may reach within the time of a detection.
  struct Reach {
    Columns::Column low, high;
    Aabb box;
    bool wide = false;
  };
  /// A body on its way to a rank.
  struct Traveller {
    BodyMotion motion;
    Vec3 force, torque;
    MovingBodies::Changes changes;
    Carried held = Carried::no;
    int home = 0;
    std::vector<int> knowers;
  };
  /// A dynamic body that spans many columns.
  struct Wide {
    Columns::Column column;
    bool moves = false, jointed = false;
    Aabb box;
  };
  void begin(const Parts& parts);
  std::string tell_own(std::span<const Body> bodies) const;
  std::vector<Body> all_of(std::span<const Body> bodies,
                           const std::vector<std::string>& messages) const;
  void balance(std::span<const Body> bodies);
  std::vector<Columns::Column> own_columns(const Columns& columns,
                                           std::span<const Body> bodies) const;
  Partition cut(std::vector<Columns::Column> mine) const;
  int owner(const Columns::Column& a, bool moves_a, const Columns::Column& b, bool moves_b) const;
  /// How far the bodies that have their home here reach from their centres at most.
  Vec3 find_reaches(const Parts& parts);
  void agree_on_wide(const Parts& parts, Vec3& most, std::vector<Traveller>& arrived);
  std::vector<int> knowers_of(std::size_t body, const Body& now, const Vec3& most) const;
  void mark(Columns::Column low, Columns::Column high, std::span<char> marks) const;
  void send_pairs(const Parts& parts, std::vector<Parcel>& parcels) const;
  void send_bodies(const Parts& parts, const Vec3& most, std::vector<Parcel>& parcels) const;
  Traveller traveller(const Parts& parts, std::size_t body) const;
  void settle(const Parts& parts, std::vector<Traveller>& arrived);
  void find_neighbours(std::span<const Body> bodies);
  static void write(const Traveller& traveller, Parcel& parcel);
  static Traveller read_traveller(ParcelReader& reader);

  Exchange& exchange_;
  const std::vector<Body>* bodies_ = nullptr;
  BodyTable all_;
  std::vector<Known> known_, known_before_;
  std::vector<BodyId> before_;
  std::vector<int> everybody_;
  std::vector<int> neighbours_;
  std::vector<Reach> reaches_;  ///< of the bodies that have their home here, before they travel
  std::vector<Wide> wide_;
  std::vector<BodyId> jointed_;
  Partition partition_;
  std::unique_ptr<Partition> next_;
  Columns columns_;
  PeriodicBox space_;
  double width_ = 0.0;
  int detections_ = 0;  ///< at the start of steps
  bool changed_ = true, knows_all_ = true, shows_ = false, saves_on_first_ = false;
  std::optional<std::vector<Body>> own_;                 ///< while `bodies` are shown ones
  bool changed_before_ = true, knew_all_before_ = true;  ///< of `remember`
};

}  // namespace tactus::detail
