#include "tests/support/effort.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tactus/io/json/query_line.hpp"
#include "tactus/query.hpp"
#include "tactus/shape.hpp"
#include "tests/oracle/generator.hpp"
#include "tests/support/query_files.hpp"

// No query of the acceptance kind takes more support evaluations than this by default.
namespace tactus::detail::oracle {
namespace {

constexpr std::int32_t kMostEvaluations = 200;

TEST(Effort, NoGeneratedQueryTakesMoreThanTheCap) {
  const Generator generator(11);
  const auto count = static_cast<std::uint64_t>(test::effort(2000));
  for (std::uint64_t index = 0; index < count; ++index) {
    const Case made = generator.make(index);
    // A compound asks once for every pair of its parts.
    if (made.group == "compound") continue;
    const DistanceResult r = distance(made.pair.a.shape(), made.pair.place_a.pose(),
                                      made.pair.b.shape(), made.pair.place_b.pose());
    EXPECT_LE(r.iterations, kMostEvaluations) << made.group << ' ' << made.category << ' ' << index;
  }
}

TEST(Effort, NoKnownQueryTakesMoreThanTheCap) {
  int asked = 0;
  for (const std::filesystem::path& file : test::query_files()) {
    std::ifstream stream(file);
    io::ShapeReader reader(file.parent_path());
    std::string line;
    while (std::getline(stream, line)) {
      const io::QueryLine parsed = io::parse_query_line(line, reader);
      if (!parsed.query) continue;
      const io::Answer answer = io::answer_query(*parsed.query);
      EXPECT_LE(answer.distance.iterations, kMostEvaluations)
          << file.filename() << ' ' << parsed.id;
      ++asked;
    }
  }
  EXPECT_GE(asked, 76);
}

// Counts its support evaluations, to compare them with the iterations that a result names.
class Counting : public SupportFunction {
 public:
  explicit Counting(Shape shape) : shape_(std::move(shape)) {}
  Vec3 support(const Vec3& direction) const noexcept override {
    ++count_;
    return tactus::support(shape_, direction);
  }
  int count() const { return count_; }

 private:
  Shape shape_;
  mutable int count_ = 0;
};

TEST(Effort, IterationsAreSupportEvaluations) {
  // Evaluations beside the iterations: for the core of a custom body, and at the end of a query.
  constexpr int kBeside = 40;
  const Generator generator(12);
  for (std::uint64_t index = 0; index < 300; ++index) {
    const Case made = generator.make(index);
    if (made.group == "compound" || made.group == "halfspace") continue;
    const auto counting = std::make_shared<Counting>(made.pair.a.shape());
    const DistanceResult r = distance(CustomConvex(counting), made.pair.place_a.pose(),
                                      made.pair.b.shape(), made.pair.place_b.pose());
    EXPECT_LE(counting->count(), r.iterations + kBeside) << made.group << ' ' << index;
  }
}

}  // namespace
}  // namespace tactus::detail::oracle
