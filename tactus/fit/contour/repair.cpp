#include "tactus/fit/contour/repair.hpp"

#include <algorithm>

#include "tactus/planar/region/exact.hpp"

namespace tactus::detail::contour {
namespace {

struct Piece {
  SegmentOf name;
  Vec2 a, b;
};

bool boxes_meet(const Piece& p, const Piece& q) {
  return std::fmin(p.a.x, p.b.x) <= std::fmax(q.a.x, q.b.x) &&
         std::fmin(q.a.x, q.b.x) <= std::fmax(p.a.x, p.b.x) &&
         std::fmin(p.a.y, p.b.y) <= std::fmax(q.a.y, q.b.y) &&
         std::fmin(q.a.y, q.b.y) <= std::fmax(p.a.y, p.b.y);
}

bool meet(const Piece& p, const Piece& q) {
  const int u = orientation(p.a, p.b, q.a) * orientation(p.a, p.b, q.b);
  if (u > 0) return false;
  const int v = orientation(q.a, q.b, p.a) * orientation(q.a, q.b, p.b);
  if (v > 0) return false;
  if (u < 0 && v < 0) return true;
  const PlanarPoint pa = placed(p.a), pb = placed(p.b), qa = placed(q.a), qb = placed(q.b);
  return on_segment(qa, pa, pb) || on_segment(qb, pa, pb) || on_segment(pa, qa, qb) ||
         on_segment(pb, qa, qb);
}

// p leads to q: do they share more than the corner?
bool folds_back(const Piece& p, const Piece& q) {
  return orientation(p.a, p.b, q.b) == 0 && dot_sign({p.a, p.b}, {q.a, q.b}) < 0;
}

// Pieces by the squares of a grid that their boxes meet, cut along the piece.
class Grid {
 public:
  explicit Grid(const std::vector<Piece>& pieces) {
    Vec2 low = pieces.front().a, high = low;
    double length = 0.0;
    for (const Piece& p : pieces) {
      low = {std::fmin(low.x, p.a.x), std::fmin(low.y, p.a.y)};
      high = {std::fmax(high.x, p.a.x), std::fmax(high.y, p.a.y)};
      length += norm(p.b - p.a);
    }
    low_ = low;
    // Squares as long as pieces are in the mean, and not more than there are pieces to fill them.
    const auto count = static_cast<double>(pieces.size());
    const double area = (high.x - low.x) * (high.y - low.y);
    size_ = std::fmax(length / count, std::sqrt(area / (4.0 * count)));
    size_ = std::fmax(size_, (high.x - low.x + high.y - low.y) / (count + 16.0));
    columns_ = static_cast<std::size_t>((high.x - low.x) / size_) + 1;
    rows_ = static_cast<std::size_t>((high.y - low.y) / size_) + 1;
    begins_.assign(columns_ * rows_ + 1, 0);
    for (const Piece& p : pieces) {
      visit(p, [&](std::size_t cell) { ++begins_[cell + 1]; });
    }
    for (std::size_t i = 0; i + 1 < begins_.size(); ++i) begins_[i + 1] += begins_[i];
    members_.resize(begins_.back());
    std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      visit(pieces[i], [&](std::size_t cell) { members_[next[cell]++] = i; });
    }
  }

  template <class Visit>
  void each_pair(const Visit& pair) const {
    for (std::size_t cell = 0; cell + 1 < begins_.size(); ++cell) {
      for (std::size_t i = begins_[cell]; i < begins_[cell + 1]; ++i) {
        for (std::size_t j = i + 1; j < begins_[cell + 1]; ++j) pair(members_[i], members_[j]);
      }
    }
  }

 private:
  std::size_t column(double x) const { return place(x - low_.x, columns_); }
  std::size_t row(double y) const { return place(y - low_.y, rows_); }
  std::size_t place(double offset, std::size_t count) const {
    const double cell = std::fmin(std::fmax(offset / size_, 0.0), static_cast<double>(count - 1));
    return static_cast<std::size_t>(cell);
  }

  // Column by column, the rows that the piece passes there; a little more, for rounding.
  template <class Visit>
  void visit(const Piece& p, const Visit& cell) const {
    const Vec2 a = p.a.x <= p.b.x ? p.a : p.b, b = p.a.x <= p.b.x ? p.b : p.a;
    const double slack = 1e-9 * size_ + 1e-12 * (std::fabs(a.y) + std::fabs(b.y));
    const double low = std::fmin(a.y, b.y), high = std::fmax(a.y, b.y);
    for (std::size_t c = column(a.x - slack); c <= column(b.x + slack); ++c) {
      double y0 = low, y1 = high;
      const double left = low_.x + static_cast<double>(c) * size_;
      if (b.x - a.x > size_) {
        const double slope = (b.y - a.y) / (b.x - a.x);
        const double u = a.y + (left - slack - a.x) * slope;
        const double v = a.y + (left + size_ + slack - a.x) * slope;
        y0 = std::fmax(low, std::fmin(u, v));
        y1 = std::fmin(high, std::fmax(u, v));
      }
      for (std::size_t r = row(y0 - slack); r <= row(y1 + slack); ++r) cell(r * columns_ + c);
    }
  }

  Vec2 low_;
  double size_ = 1.0;
  std::size_t columns_ = 1, rows_ = 1;
  std::vector<std::size_t> begins_, members_;
};

}  // namespace

std::vector<std::pair<SegmentOf, SegmentOf>> crossings_of(
    const std::vector<std::vector<Vec2>>& lines) {
  std::vector<Piece> pieces;
  for (std::size_t l = 0; l < lines.size(); ++l) {
    const std::vector<Vec2>& line = lines[l];
    for (std::size_t i = 0; i < line.size(); ++i) {
      pieces.push_back({{l, i}, line[i], line[i + 1 == line.size() ? 0 : i + 1]});
    }
  }
  std::vector<std::pair<SegmentOf, SegmentOf>> found;
  if (pieces.empty()) return found;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  Grid(pieces).each_pair([&](std::size_t i, std::size_t j) {
    const Piece &p = pieces[std::min(i, j)], &q = pieces[std::max(i, j)];
    if (!boxes_meet(p, q)) return;
    bool bad = false;
    const std::size_t n = lines[p.name.line].size();
    const bool same = p.name.line == q.name.line;
    const bool after = same && (p.name.segment + 1) % n == q.name.segment;
    const bool before = same && (q.name.segment + 1) % n == p.name.segment;
    if (after || before) {
      bad = (after && folds_back(p, q)) || (before && folds_back(q, p));
    } else {
      bad = meet(p, q);
    }
    if (bad) pairs.emplace_back(std::min(i, j), std::max(i, j));
  });
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  found.reserve(pairs.size());
  for (const auto& [i, j] : pairs) found.emplace_back(pieces[i].name, pieces[j].name);
  return found;
}

bool encloses(const std::vector<Vec2>& line, const Vec2& p) {
  bool odd = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const Vec2 &a = line[i], &b = line[i + 1 == line.size() ? 0 : i + 1];
    if ((a.y > p.y) == (b.y > p.y)) continue;
    if (orientation(a, b, p) == (b.y > a.y ? 1 : -1)) odd = !odd;
  }
  return odd;
}

}  // namespace tactus::detail::contour
