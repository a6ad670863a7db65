#ifdef TACTUS_WITH_SDFORMAT

#include "tactus/io/robot/sdf/sdf_document.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <mutex>
#include <sdf/Console.hh>
#include <sdf/parser.hh>

#include "tactus/io/file/line_scanner.hpp"

namespace tactus::io {
namespace {

std::mutex& sdformat_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// A message on one line.
std::string one_line(const std::string& message) {
  std::string line;
  for (const char c : message) {
    const bool blank = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == '.')) line.pop_back();
  return line;
}

/// The first element that `fits`, in the order of the text.
template <class Fits>
const tinyxml2::XMLElement* find_element(const tinyxml2::XMLElement* element, const Fits& fits) {
  if (element == nullptr || fits(*element)) return element;
  for (auto* child = element->FirstChildElement(); child; child = child->NextSiblingElement())
    if (const auto* found = find_element(child, fits)) return found;
  return nullptr;
}

std::string described(const std::string& kind, const std::string& name) {
  return kind + " " + quoted_word(name);
}

/// The link or joint that a path of libsdformat like `/sdf/model[@name="m"]/link[@name="a"]` leads
/// through.
std::string owner_of(const std::string& path) {
  std::string owner;
  for (const std::string kind : {"link", "joint"}) {
    const std::string before = "/" + kind + "[@name=\"";
    const std::size_t at = path.rfind(before);
    if (at == path.npos) continue;
    const std::size_t begin = at + before.size();
    owner = described(kind, path.substr(begin, path.find('"', begin) - begin));
  }
  return owner;
}

/// The element that a message names: `joint with name[j]`, or a vertex of a graph, `[m::a]`.
const tinyxml2::XMLElement* named_element(const std::string& message,
                                          const tinyxml2::XMLElement* root) {
  constexpr std::array<const char*, 4> kKinds{"link", "joint", "frame", "model"};
  for (std::size_t at = message.find('['); at != message.npos; at = message.find('[', at + 1)) {
    const std::string before = message.substr(0, at);
    const std::size_t end = message.find(']', at);
    if (end == message.npos) return nullptr;
    std::string name = message.substr(at + 1, end - at - 1);
    const std::size_t scope = name.rfind("::");
    if (scope != name.npos) name = name.substr(scope + 2);
    for (const char* const kind : kKinds) {
      // The kind stands some words in front: `Joint with non-unique name [j]`, `joint name[j]`.
      const std::string tail = before.substr(before.size() - std::min<std::size_t>(28, at));
      const bool of_kind = tail.find(std::string(kind).substr(1) + " with n") != tail.npos ||
                           tail.find(std::string(kind) + " name") != tail.npos;
      if (!of_kind && scope == name.npos) continue;
      const auto* found = find_element(root, [&](const tinyxml2::XMLElement& e) {
        const char* given = e.Attribute("name");
        return std::string_view(e.Name()) == kind && given != nullptr && given == name;
      });
      if (found != nullptr) return found;
    }
  }
  return nullptr;
}

/// Throws the error with the place that libsdformat gives or the message names.
[[noreturn]] void fail(const sdf::Error& error, const XmlElement& root, SdfNotes& notes) {
  const std::string message = one_line(error.Message());
  const std::string path = error.XmlPath().value_or("");
  FileNotes& file = notes.of(error.FilePath().value_or(""));
  const bool own = &file == &notes.own();
  if (const auto line = error.LineNumber()) {
    std::string element = path.substr(path.rfind('/') + 1);
    element = element.substr(0, element.find('['));
    const auto* found = find_element(own ? root.xml() : nullptr, [&](const auto& e) {
      return e.GetLineNum() == *line && element == e.Name();
    });
    const char* text = found != nullptr ? found->GetText() : nullptr;
    const bool unread = message.rfind("Error reading element", 0) == 0;
    ElementPlace(file, *line, owner_of(path), element)
        .fail(unread && text != nullptr && found->FirstChildElement() == nullptr
                  ? quoted_word(text) + " is not what SDF has there"
                  : message);
  }
  if (const auto* found = named_element(message, root.xml())) {
    const std::string kind = found->Name();
    const std::string name = found->Attribute("name");
    ElementPlace(file, found->GetLineNum(),
                 kind == "link" || kind == "joint" ? described(kind, name) : "", kind)
        .fail(message);
  }
  throw FileError(file.name() + ": " + message);
}

/// Throws the first error; what SDF does not know, and what is out of date, is noted.
void take(const sdf::Errors& errors, const XmlElement& root, SdfNotes& notes) {
  for (const sdf::Error& error : errors) {
    const std::string message = one_line(error.Message());
    const std::string path = error.XmlPath().value_or("");
    const bool unknown = error.Code() == sdf::ErrorCode::ELEMENT_INCORRECT_TYPE &&
                         message.find("not defined in SDF") != message.npos;
    const bool old = error.Code() == sdf::ErrorCode::ELEMENT_DEPRECATED ||
                     error.Code() == sdf::ErrorCode::ATTRIBUTE_DEPRECATED ||
                     error.Code() == sdf::ErrorCode::VERSION_DEPRECATED;
    if (!unknown && !old) fail(error, root, notes);
    std::string element = path.substr(path.rfind('/') + 1);
    element = element.substr(0, element.find('['));
    // A joint that follows another one: SDF of version 1.11, which libsdformat 12 does not know.
    if (unknown && element == "mimic") continue;
    ElementPlace(notes.of(error.FilePath().value_or("")), error.LineNumber().value_or(0),
                 owner_of(path), element)
        .note(unknown ? "is not looked at" : message);
  }
}

/// Runs a call of libsdformat, which throws where it takes itself to be wrong.
template <class Call>
void guarded(const SdfNotes& notes, const Call& call) {
  try {
    call();
  } catch (const FileError&) {
    throw;
  } catch (const std::exception& error) {
    throw FileError(notes.own().name() + ": libsdformat fails: " + one_line(error.what()));
  }
}

}  // namespace

SilentSdformat::SilentSdformat() {
  sdformat_mutex().lock();
  auto& stream = sdf::Console::Instance()->GetMsgStream();
  before_ = stream.GetStream();
  stream.SetStream(nullptr);
}

SilentSdformat::~SilentSdformat() {
  sdf::Console::Instance()->GetMsgStream().SetStream(before_);
  sdformat_mutex().unlock();
}

sdf::SDFPtr read_sdf_tree(const std::string& text, const sdf::ParserConfig& config,
                          const XmlElement& root, SdfNotes& notes) {
  auto tree = std::make_shared<sdf::SDF>();
  guarded(notes, [&] {
    sdf::Errors errors;
    if (!sdf::init(tree)) throw FileError(notes.own().name() + ": libsdformat does not start");
    const bool read = sdf::readString(text, config, tree->Root(), errors);
    take(errors, root, notes);
    if (!read) root.fail("libsdformat cannot read it");
  });
  return tree;
}

void load_sdf(const sdf::SDFPtr& tree, const sdf::ParserConfig& config, const XmlElement& root,
              SdfNotes& notes, sdf::Root& loaded) {
  guarded(notes, [&] { take(loaded.Load(tree, config), root, notes); });
}

}  // namespace tactus::io

#endif
