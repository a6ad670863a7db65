#pragma once

#include <filesystem>
#include <sdf/Root.hh>
#include <sdf/SDFImpl.hh>
#include <string>
#include <string_view>

#include "tactus/io.hpp"
#include "tactus/io/robot/sdf/sdf_element.hpp"
#include "tactus/io/robot/xml/xml_element.hpp"

namespace tactus::io {

/// Keeps libsdformat to one thread and off the console while it lives: its console is one for the
/// whole program, and it cannot be asked to write nowhere.
class SilentSdformat {
 public:
  SilentSdformat();
  ~SilentSdformat();
  SilentSdformat(const SilentSdformat&) = delete;
  SilentSdformat& operator=(const SilentSdformat&) = delete;

 private:
  std::ostream* before_;
};

/// The tree of elements of a text, which libsdformat brings up to its own version of SDF. `root`:
/// the text as XML, for what errors name. Throws FileError.
sdf::SDFPtr read_sdf_tree(const std::string& text, const sdf::ParserConfig& config,
                          const XmlElement& root, SdfNotes& notes);

/// Loads the objects that libsdformat makes of the tree: models, joints and frames, whose names it
/// has looked up. Throws FileError.
void load_sdf(const sdf::SDFPtr& tree, const sdf::ParserConfig& config, const XmlElement& root,
              SdfNotes& notes, sdf::Root& loaded);

}  // namespace tactus::io
