#include "tactus/io/json/line_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/folder.hpp"

namespace tactus::io {
namespace {

using Lines = std::vector<std::pair<int, std::string>>;

Lines lines_of(const std::string& file) {
  LineFile lines(file);
  Lines found;
  for (std::string line; lines.next(line);) {
    // Nothing of a file keeps `next` waiting.
    EXPECT_TRUE(lines.ready());
    found.emplace_back(lines.number(), line);
  }
  return found;
}

TEST(LineFile, PassesOverBlankLinesAndCommentsButCountsThem) {
  const detail::test::TemporaryFolder folder;
  const std::string file = (folder / "a.jsonl").string();
  std::ofstream(file) << "\n  \t\r\n// note\n{1}\n\n  // note\n{2}\r\n{3} // note";
  EXPECT_EQ(lines_of(file), (Lines{{4, "{1}"}, {7, "{2}\r"}, {8, "{3} // note"}}));
  std::ofstream(file) << "";
  EXPECT_EQ(lines_of(file), Lines{});
}

TEST(LineFile, NamesItsPlaceAndItsFolder) {
  const detail::test::TemporaryFolder folder;
  const std::string file = (folder / "a.jsonl").string();
  std::ofstream(file) << "1\n\n2\n";
  LineFile lines(file);
  std::string line;
  while (lines.next(line)) {
  }
  EXPECT_EQ(lines.place(), file + ":3");
  EXPECT_EQ(lines.folder(), folder.path());
  EXPECT_THROW(LineFile((folder / "none").string()), FileError);
  EXPECT_THROW(LineFile(folder.path().string()), FileError);
}

// Any bytes, cut into lines by line feeds alone: the same as by hand.
TEST(LineFile, HandsOutAnyBytes) {
  const detail::test::TemporaryFolder folder;
  const std::string file = (folder / "a.jsonl").string();
  detail::Random random(5);
  for (int run = 0; run < detail::test::effort(20); ++run) {
    std::string content;
    for (int i = 0; i < 3000; ++i)
      content += random.uniform(0.0, 1.0) < 0.05 ? '\n' : static_cast<char>(random.next());
    std::ofstream(file, std::ios::binary) << content;
    Lines wanted;
    int number = 0;
    for (std::size_t begin = 0; begin < content.size();) {
      const std::size_t end = std::min(content.find('\n', begin), content.size());
      const std::string line = content.substr(begin, end - begin);
      const std::size_t first = line.find_first_not_of(" \t\r");
      ++number;
      if (first != line.npos && line.compare(first, 2, "//") != 0)
        wanted.emplace_back(number, line);
      begin = end + 1;
    }
    EXPECT_EQ(lines_of(file), wanted);
  }
}

// `ready` is false while the next line is not written to its end; blank lines do not count.
TEST(LineFile, TellsWhetherTheNextLineIsThere) {
  const detail::test::TemporaryFolder folder;
  const std::string pipe = (folder / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int keep = ::open(pipe.c_str(), O_RDWR);
  ASSERT_GE(keep, 0);
  const auto write = [&](const std::string& text) {
    ASSERT_EQ(::write(keep, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  };
  LineFile lines(pipe);
  EXPECT_FALSE(lines.ready());
  write("{1}\n\n// note\n  \n{2");
  EXPECT_TRUE(lines.ready());
  std::string line;
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line, "{1}");
  EXPECT_FALSE(lines.ready());
  write("}\n");
  EXPECT_TRUE(lines.ready());
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line, "{2}");
  EXPECT_EQ(lines.number(), 5);
  EXPECT_FALSE(lines.ready());
  ::close(keep);
  EXPECT_FALSE(lines.next(line));
}

}  // namespace
}  // namespace tactus::io
