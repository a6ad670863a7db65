#include "tactus/io/mesh/collada.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "tactus/core.hpp"
#include "tactus/io/file/line_scanner.hpp"

namespace tactus::io {
namespace {

// The value of an attribute or the text of an element in the head of a COLLADA file.
std::string text_behind(std::string_view head, std::string_view mark, std::string_view begin,
                        std::string_view end) {
  const std::size_t at = head.find(mark);
  const std::size_t from = at != head.npos ? head.find_first_of(begin, at + mark.size()) : at;
  const std::size_t to = from != head.npos ? head.find_first_of(end, from + 1) : from;
  return to != head.npos ? std::string(head.substr(from + 1, to - from - 1)) : std::string();
}

constexpr std::string_view kBlank = " \t\r\n";

/// Goes through the tags of an XML file, from one to the next.
class Tags {
 public:
  explicit Tags(std::string_view content) : rest_(content) {}

  bool next() {
    while (true) {
      rest_.remove_prefix(std::min(rest_.find('<'), rest_.size()));
      if (rest_.empty()) return false;
      if (skip("<!--", "-->") || skip("<![CDATA[", "]]>") || skip("<?", "?>")) continue;
      const std::size_t end = end_of_tag();
      tag_ = rest_.substr(1, end - 1);
      start_ = rest_.data();
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      return true;
    }
  }

  /// With `/` in front where the tag ends an element.
  std::string_view name() const {
    return tag_.substr(0, std::min(tag_.find_first_of(kBlank), tag_.find('/', 1)));
  }
  /// Empty where the tag has no such attribute.
  std::string_view attribute(std::string_view name) const {
    std::size_t at = tag_.find_first_of(kBlank);
    while (at < tag_.size()) {
      const std::size_t first = tag_.find_first_not_of(kBlank, at);
      const std::size_t equals = tag_.find('=', at);
      const std::size_t open = std::min(tag_.find_first_of("\"'", equals), tag_.size() - 1);
      const std::size_t close = tag_.find(tag_[open], open + 1);
      if (equals == tag_.npos || close == tag_.npos) return {};
      const std::string_view found = tag_.substr(first, equals - first);
      if (found.substr(0, found.find_first_of(kBlank)) == name)
        return tag_.substr(open + 1, close - open - 1);
      at = close + 1;
    }
    return {};
  }
  bool is_empty_element() const { return !tag_.empty() && tag_.back() == '/'; }
  const char* start() const { return start_; }

 private:
  bool skip(std::string_view begin, std::string_view end) {
    if (rest_.substr(0, begin.size()) != begin) return false;
    const std::size_t at = rest_.find(end, begin.size());
    rest_.remove_prefix(at == rest_.npos ? rest_.size() : at + end.size());
    return true;
  }
  // Values of attributes may hold `>`.
  std::size_t end_of_tag() const {
    char quote = 0;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      const char c = rest_[i];
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '>') {
        return i;
      }
    }
    return rest_.size();
  }

  std::string_view rest_, tag_;
  const char* start_ = nullptr;
};

/// The names that the accessor of a source gives its numbers.
struct Accessor {
  const char* place = nullptr;
  std::set<std::string_view> names;
};

}  // namespace

void note_collada(std::string_view content, FileNotes& notes) {
  const std::string_view head = content.substr(0, content.find("<library_"));
  const std::string up = text_behind(head, "<up_axis", ">", "<");
  if (!up.empty() && up != "Z_UP")
    notes.add(0, quoted_word(up) + " turns nothing: numbers are as in the file (--up turns them)");
  const std::size_t unit = head.find("<unit");
  const std::string meter =
      unit != head.npos ? text_behind(head.substr(unit), "meter", "\"'", "\"'") : std::string();
  if (const auto length = number_in(meter); length && *length != 1.0)
    notes.add(0, "coordinates are multiplied by " + meter + ", the file's unit in metres");
}

void require_named_coordinates(std::string_view content, const FileNotes& notes) {
  std::map<std::string_view, Accessor> sources;
  std::set<std::string_view> places;
  std::string_view source;
  Accessor* accessor = nullptr;
  for (Tags tags(content); tags.next();) {
    const std::string_view name = tags.name();
    if (name == "source") {
      source = tags.attribute("id");
    } else if (name == "accessor" && !source.empty()) {
      accessor = &sources[source];
      accessor->place = tags.start();
      if (tags.is_empty_element()) accessor = nullptr;
    } else if (name == "/accessor") {
      accessor = nullptr;
    } else if (name == "param" && accessor != nullptr) {
      accessor->names.insert(tags.attribute("name"));
    } else if (name == "input" && tags.attribute("semantic") == "POSITION") {
      const std::string_view of = tags.attribute("source");
      places.insert(of.substr(!of.empty() && of.front() == '#' ? 1 : 0));
    }
  }
  for (const std::string_view id : places) {
    const auto found = sources.find(id);
    if (found == sources.end()) continue;
    for (const std::string_view name : {"X", "Y", "Z"}) {
      if (found->second.names.count(name) != 0) continue;
      const auto before = found->second.place - content.data();
      const auto line = 1 + std::count(content.begin(), content.begin() + before, '\n');
      throw FileError(fmt::format(
          "{}:{}: <accessor> of {}: no <param> is called {}: coordinates are known by their names",
          notes.name(), line, quoted_word(id), name));
    }
  }
}

}  // namespace tactus::io
