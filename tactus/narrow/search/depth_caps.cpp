#include "tactus/narrow/search/depth_caps.hpp"

#include <algorithm>

namespace tactus::detail {

void DepthCaps::prepare(Observer* observer) {
  observer_ = observer;
  count_ = 0;
}

void DepthCaps::keep(const Cso& cso, const Critical& c, double poor) {
  if (is_full()) return;
  Cap cap = prove_cap(cso, c);
  if (cap.lower < c.value - poor) {
    cap.cosine = 2.0;
    cap.lower = c.value;
  }
  caps_[count_++] = cap;
  if (observer_ != nullptr && cap.cosine <= 1.0) {
    const SearchState state{"epa", count_, -c.value, -cap.lower, cso.a.radius + cso.b.radius};
    observer_->cap({state, cap.n, cap.cosine, cap.lower});
  }
}

bool DepthCaps::is_near(const Vec3& n, double cosine) const {
  for (int i = 0; i < count_; ++i) {
    if (dot(n, caps_[i].n) >= cosine) return true;
  }
  return false;
}

bool DepthCaps::has_rival(const Vec3& n, double cosine, double level) const {
  for (int i = 0; i < count_; ++i) {
    if (caps_[i].lower <= level && dot(caps_[i].n, n) < cosine) return true;
  }
  return false;
}

bool DepthCaps::cover(const std::array<const Vec3*, 3>& corners, double level,
                      double& lower) const {
  for (int i = 0; i < count_; ++i) {
    if (!covers(caps_[i], corners.data(), level)) continue;
    lower = std::min(level, caps_[i].lower);
    return true;
  }
  return false;
}

bool DepthCaps::prove(const Cso& cso, const std::array<const Vec3*, 3>& corners, FaceProof& proof,
                      double& lower) const {
  proof.caps = caps_.data();
  proof.cap_count = count_;
  if (!prove_face(cso, corners.data(), proof)) return false;
  lower = std::min(proof.level, proof.lower);
  return true;
}

}  // namespace tactus::detail
