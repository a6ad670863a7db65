// Where exceptions are not wanted: outcomes instead of throws, and a program's own threads.
#include <cstdio>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/query.hpp"
#include "tactus/version.hpp"

using namespace tactus;

namespace {

// Stands for the job system of an engine; this one works in the calling thread.
class Jobs : public Executor {
 public:
  void run(std::size_t chunks, const std::function<void(std::size_t)>& chunk, int) override {
    for (std::size_t i = 0; i < chunks; ++i) chunk(i);
    done += chunks;
  }
  std::size_t done = 0;
};

}  // namespace

int main() {
  std::puts("tactus " TACTUS_VERSION);
  const Outcome<Sphere> wrong = make<Sphere>(-1.0);
  std::printf("%s (field %s)\n", wrong.error().c_str(), wrong.field().c_str());
  const Outcome<Sphere> ball = make<Sphere>(0.5);
  if (wrong || !ball) return 1;

  // Queries never throw: what went wrong is in the status.
  const Shape shape = *ball;
  const DistanceResult none = distance(HalfSpace({0, 0, 1}, 0), {}, HalfSpace({0, 0, 1}, 1), {});
  std::printf("two half-spaces: %s\n", to_string(none.status).data());

  Jobs jobs;
  use_executor(&jobs);
  std::vector<Pose> here(1000), there;
  for (int i = 0; i < 1000; ++i) there.push_back(Pose::translation({0.01 * i, 0, 0}));
  double nearest = 1e9;
  parallel_for(here.size(), 100, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const double d = distance(shape, here[i], shape, there[i]).distance;
      if (i == 0) nearest = d;
    }
  });
  use_executor(nullptr);
  std::printf("%zu pieces of work, the first pair: %g\n", jobs.done, nearest);
  return jobs.done == 10 && nearest == -1.0 ? 0 : 1;
}
