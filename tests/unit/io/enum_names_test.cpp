#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/classic.hpp"
#include "tactus/io.hpp"
#include "tactus/tactus.hpp"

// Law: `to_string` and `from_string` of each public enumeration undo each other, for every value,
// and know nothing else. The values come from the text of the headers.
namespace tactus {
namespace {

/// The values of each enumeration in the order of the header; its key is its name and first value.
using Enumerations = std::map<std::string, std::vector<std::string>>;

void read_header(const std::filesystem::path& file, Enumerations& found) {
  std::ifstream in(file);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  text = std::regex_replace(text, std::regex("//[^\n]*"), "");
  const std::size_t internal = text.find("namespace tactus::detail {");
  if (internal != std::string::npos) text.erase(internal, text.find("\n}", internal) - internal);
  const std::regex enumeration("enum class (\\w+)[^{;]*\\{([^}]*)\\}");
  for (std::sregex_iterator m(text.begin(), text.end(), enumeration), end; m != end; ++m) {
    std::vector<std::string> values;
    const std::string body = (*m)[2];
    const std::regex value("(\\w+)\\s*(\\[\\[deprecated[^,]*)?(?:,|$)");
    for (std::sregex_iterator v(body.begin(), body.end(), value); v != end; ++v)
      if (!(*v)[2].matched) values.push_back((*v)[1]);
    ASSERT_FALSE(values.empty()) << file << ": " << (*m)[1];
    found[(*m)[1].str() + " " + values.front()] = values;
  }
}

const Enumerations& enumerations() {
  static const Enumerations all = [] {
    Enumerations found;
    const std::filesystem::path folder = std::string(TACTUS_SOURCE_DIR) + "/include/tactus";
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".hpp") read_header(entry.path(), found);
    return found;
  }();
  return all;
}

class EnumNames {
 public:
  /// `others`: names that are not spelled as their values.
  template <class E>
  void check(const std::string& key, const std::map<std::string, std::string>& others = {}) {
    SCOPED_TRACE(key);
    ASSERT_TRUE(enumerations().contains(key));
    ASSERT_TRUE(checked_.insert(key).second);
    int number = 0;
    for (const std::string& value : enumerations().at(key)) {
      const auto other = others.find(value);
      const std::string& name = other == others.end() ? value : other->second;
      const E known = static_cast<E>(number++);
      EXPECT_EQ(to_string(known), name);
      EXPECT_EQ(from_string<E>(name), known);
      EXPECT_EQ(from_string<E>(name + " "), std::nullopt);
    }
    EXPECT_EQ(to_string(static_cast<E>(number)), "");
    EXPECT_EQ(to_string(static_cast<E>(255)), "");
    EXPECT_EQ(from_string<E>(""), std::nullopt);
    EXPECT_EQ(from_string<E>("no such name"), std::nullopt);
  }
  const std::set<std::string>& checked() const { return checked_; }

 private:
  std::set<std::string> checked_;
};

TEST(EnumNames, ServeBothWaysForEveryPublicEnumeration) {
  EnumNames names;
  names.check<Status>("Status converged");
  names.check<Schedule>("Schedule any");
  names.check<HullMethod>("HullMethod quickhull");
  names.check<ShapeType>("ShapeType sphere");
  names.check<Overlap>("Overlap no");
  names.check<CertificateKind>("CertificateKind none");
  names.check<Certificate::Step::Kind>(
      "Kind apart", {{"apart", "n"}, {"split_a", "a"}, {"split_b", "b"}, {"split_time", "t"}});
  names.check<Method>("Method automatic", {{"automatic", "auto"}});
  names.check<Proof>("Proof not_claimed", {{"not_claimed", "not claimed"}});
  names.check<Claim>("Claim value");
  names.check<BodyType>("BodyType fixed", {{"dynamic_body", "moving"}});
  names.check<JointType>("JointType fixed");
  names.check<Detector>("Detector closed_form");
  names.check<ContactPoints>("ContactPoints manifold");
  names.check<PlaneContact>("PlaneContact midpoint");
  names.check<MotionPlane>("MotionPlane none");
  names.check<Quality>("Quality usual", {{"usual", "default"}});
  names.check<StepError>("StepError none");
  names.check<ccd::CcdMethod>("CcdMethod conservative");
  names.check<ccd::SurfaceBroad>("SurfaceBroad tree");
  names.check<ccd::SurfaceImpact::Kind>("Kind vertex_face");
  names.check<CharacterSupport>("CharacterSupport ground");
  names.check<fit::HeightDiagonal>("HeightDiagonal automatic", {{"automatic", "auto"}});
  names.check<fit::BoxMethod>("BoxMethod given",
                              {{"given", "given axes"},
                               {"points", "principal axes of the points"},
                               {"hull_vertices", "principal axes of the hull's vertices"},
                               {"hull_surface", "principal axes of the hull's surface"},
                               {"search", "search over rotations"},
                               {"calipers", "flush with two edges"}});
  names.check<fit::DecompositionMethod>("DecompositionMethod modern");
  names.check<fit::DecompositionStatus>("DecompositionStatus reached");
  names.check<fit::Foreground>("Foreground automatic");
  names.check<fit::SaddleRule>("SaddleRule mean");
  names.check<planar::Crossings>("Crossings refuse");
  names.check<planar::TouchKind>("TouchKind segment");
  names.check<planar::PlanarHit>("PlanarHit no");
  names.check<soft::DeformableModel>("DeformableModel neo_hookean");
  names.check<soft::DeformableResponse>("DeformableResponse continuous");
  names.check<io::UpAxis>("UpAxis as_it_is");
  names.check<io::ImageChannel>("ImageChannel automatic", {{"automatic", "auto"}});
  names.check<io::StartOverlap>("StartOverlap refuse");
  for (const auto& [key, values] : enumerations())
    EXPECT_TRUE(names.checked().contains(key)) << key << " has no row here";
}

}  // namespace
}  // namespace tactus
