#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tactus/io.hpp"
#include "tactus/rigid/exchange/exchange.hpp"
#include "tactus/rigid/ranks/body_table.hpp"
#include "tactus/world.hpp"

namespace tactus::io {

/// The world of a scene that ranks share, of which each makes a part while it reads the file: other
/// ones of the dynamic bodies, beside all that are not dynamic. Of the rest it keeps a table, and
/// nothing in the scene. A scene in which anything refers to bodies, or lets them in later, is not
/// made in parts.
class ScenePart {
 public:
  /// Makes the part of one rank; `threads` as in `WorldSettings::max_threads`.
  ScenePart(int rank, int ranks, int threads) : rank_(rank), ranks_(ranks), threads_(threads) {}

  /// As `read_scene`; the scene has none of the dynamic bodies where it `is_made`. Throws what
  /// making the world would, too, of this rank's bodies.
  Scene read(const std::filesystem::path& file, std::span<const std::string> assignments);
  /// Was a scene read that can be made in parts?
  bool is_made() const { return world_ != nullptr; }
  /// The bodies of this part, where it is made and not yet shared out.
  std::span<const Body> bodies() const { return world_->bodies(); }
  /// Shares the world out, once; a call for all ranks. Throws InvalidInput where bodies overlap, as
  /// `build_world` does.
  std::unique_ptr<World> share_out(detail::Exchange& exchange);

 private:
  bool take(const Scene& scene, const SceneBody& body);
  void refuse_overlaps(detail::Exchange& exchange) const;

  int rank_, ranks_, threads_;
  std::unique_ptr<World> world_;
  detail::BodyTable all_;
  std::vector<std::pair<BodyId, std::string>> names_;  ///< of the bodies of this part, by id
};

}  // namespace tactus::io
