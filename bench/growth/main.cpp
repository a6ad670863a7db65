// tactus_growth: how the time of every public call grows with the size of its arguments, as the
// exponent of n between 100 and 1,000,000, as a table in Markdown, in microseconds of processor
// time.
//
//   tactus_growth [--least N] [--most N] [--seconds S] [--only TEXT]
//
// A row ends early where one call would take longer than S seconds (default 2).

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bench/growth/calls.hpp"

namespace {

using tactus::detail::bench::GrowingCall;

// Processor time of all threads of this process: other programs on the machine do not count.
double seconds_of(const std::function<void()>& call) {
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double start = now();
  call();
  return now() - start;
}

// The least of several runs, as many as a tenth of a second has room for. A run is so many calls
// that the clock's steps do not count.
double least_seconds(const std::function<void()>& call) {
  constexpr double kClear = 1e-4, kRoom = 0.1;
  const double first = seconds_of(call);
  const int calls = first >= kClear ? 1 : static_cast<int>(kClear / std::max(first, 1e-7)) + 1;
  const auto run = [&] {
    for (int i = 0; i < calls; ++i) call();
  };
  double least = std::numeric_limits<double>::infinity(), sum = 0.0;
  for (int i = 0; i < 100 && (i < 2 || sum < kRoom) && sum < 3.0; ++i) {
    const double next = seconds_of(run);
    least = std::min(least, next / calls);
    sum += next;
  }
  return std::max(least, 1e-10);
}

struct Point {
  double n, seconds;
};

// Slope of the logarithms.
double exponent(const std::vector<Point>& points) {
  double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (const Point& p : points) {
    const double u = std::log(p.n), v = std::log(p.seconds);
    x += u;
    y += v;
    xx += u * u;
    xy += u * v;
  }
  const auto count = static_cast<double>(points.size());
  return (count * xy - x * y) / (count * xx - x * x);
}

void measure(const GrowingCall& row, int least, int most, double longest) {
  std::vector<Point> points;
  std::string cells;
  double last = 0.0;
  for (int n = 100; n <= 1000000; n *= 10) {
    char cell[32] = "";
    if (n >= least && n <= most && last * 12.0 < longest) {
      const std::function<void()> call = row.make(n);
      last = least_seconds(call);
      points.push_back({static_cast<double>(n), last});
      std::snprintf(cell, sizeof cell, "%.4g", last * 1e6);
    }
    cells += std::string(" ") + cell + " |";
  }
  const auto slope = [&](double from) {
    std::vector<Point> used;
    for (const Point& p : points) {
      if (p.n >= from) used.push_back(p);
    }
    char text[32] = "";
    if (used.size() > 1) std::snprintf(text, sizeof text, "%.2f", exponent(used));
    return std::string(text);
  };
  std::printf("| %s |%s %s | %s |\n", row.name.c_str(), cells.c_str(), slope(0.0).c_str(),
              slope(1e4).c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  int least = 100, most = 1000000;
  double longest = 2.0;
  const char* only = "";
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--least") == 0) least = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--most") == 0) most = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--seconds") == 0) longest = std::atof(argv[i + 1]);
    if (std::strcmp(argv[i], "--only") == 0) only = argv[i + 1];
  }
  std::printf("| call | 100 | 1,000 | 10,000 | 100,000 | 1,000,000 | exponent | from 10,000 |\n");
  std::printf("|---|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const GrowingCall& row : tactus::detail::bench::growing_calls()) {
    if (row.name.find(only) != std::string::npos) measure(row, least, most, longest);
  }
  return 0;
}
