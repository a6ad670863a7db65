// The main function of the programs that draw figures.
#pragma once

#include <cstdio>
#include <span>
#include <string_view>

namespace svg {

struct Figure {
  const char* name;
  void (*draw)(std::FILE*);
};

/// Draws the figure that the arguments NAME [FILE.svg] name, the first one without arguments.
/// Returns the exit code.
inline int run_figures(std::span<const Figure> figures, int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : figures.front().name;
  for (const Figure& figure : figures) {
    if (figure.name != name) continue;
    std::FILE* out = argc > 2 ? std::fopen(argv[2], "w") : stdout;
    if (out == nullptr) {
      std::fprintf(stderr, "%s: cannot write %s\n", argv[0], argv[2]);
      return 1;
    }
    figure.draw(out);
    std::fprintf(out, "</svg>\n");
    return out == stdout || std::fclose(out) == 0 ? 0 : 1;
  }
  std::fprintf(stderr, "usage: %s [NAME [FILE.svg]], one of:", argv[0]);
  for (const Figure& figure : figures) std::fprintf(stderr, " %s", figure.name);
  std::fprintf(stderr, "\n");
  return 1;
}

}  // namespace svg
