#include <fmt/format.h>

#include <array>
#include <cctype>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "tactus/core.hpp"
#include "tactus/io.hpp"
#include "tactus/io/format/atomic_file.hpp"
#include "tactus/io/format/input/standard_input.hpp"
#include "tactus/io/format/obj.hpp"
#include "tactus/io/format/off.hpp"
#include "tactus/io/format/ply.hpp"
#include "tactus/io/format/stl.hpp"
#include "tactus/io/format/xyz.hpp"

#ifdef TACTUS_WITH_ASSIMP
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#endif

namespace tactus::io {
namespace {

using Parser = TriangleMesh (*)(std::string_view content, const std::string& name);

constexpr std::array<std::pair<std::string_view, Parser>, 5> kParsers = {{{".obj", parse_obj},
                                                                          {".off", parse_off},
                                                                          {".ply", parse_ply},
                                                                          {".stl", parse_stl},
                                                                          {".xyz", parse_xyz}}};

constexpr const char* kUnknownFormat =
    ": unknown format (known by their endings are .obj, .off, .ply, .stl, .xyz";

std::string extension_of(const std::filesystem::path& file) {
  if (file == "-") return std::string(format_of(standard_input()));
  std::string extension = file.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

void require_file(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) throw FileError(file.string() + ": does not exist");
  if (!std::filesystem::is_regular_file(file, error)) {
    throw FileError(file.string() + ": is not a file");
  }
}

std::string read_file(const std::filesystem::path& file) {
  if (file == "-") return standard_input();
  require_file(file);
  const std::ifstream stream = open_to_read(file);
  std::ostringstream content;
  content << stream.rdbuf();
  // An empty file sets the fail bit of `content`, not of `stream`.
  if (stream.bad()) throw FileError(file.string() + ": cannot be read");
  return std::move(content).str();
}

#ifdef TACTUS_WITH_ASSIMP
// Some importers of assimp (5.2: RAW with several objects) leave gaps among the nodes, which crash
// its later steps.
bool has_missing_node(const aiScene& scene) {
  std::vector<const aiNode*> open{scene.mRootNode};
  while (!open.empty()) {
    const aiNode* node = open.back();
    open.pop_back();
    if (node == nullptr) return true;
    open.insert(open.end(), node->mChildren, node->mChildren + node->mNumChildren);
  }
  return false;
}

TriangleMesh import_with_assimp(const std::filesystem::path& file) {
  require_file(file);
  Assimp::Importer importer;
  // Positions and triangles only: then equal positions are joined, whatever their other attributes
  // were.
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE,
                              aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  importer.SetPropertyInteger(
      AI_CONFIG_PP_RVC_FLAGS,
      aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS | aiComponent_COLORS |
          aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
          aiComponent_TEXTURES | aiComponent_LIGHTS | aiComponent_CAMERAS | aiComponent_MATERIALS);
  const auto require = [&](bool held) {
    if (!held) throw FileError(fmt::format("{}: {}", file.string(), importer.GetErrorString()));
  };
  const aiScene* scene = importer.ReadFile(file.string(), 0);
  if (scene == nullptr && !importer.IsExtensionSupported(extension_of(file)))
    throw FileError(file.string() + kUnknownFormat + " and those of assimp)");
  require(scene != nullptr);
  if (has_missing_node(*scene))
    throw FileError(file.string() + ": assimp cannot place all parts of the scene");
  scene = importer.ApplyPostProcessing(aiProcess_RemoveComponent | aiProcess_Triangulate |
                                       aiProcess_SortByPType | aiProcess_PreTransformVertices |
                                       aiProcess_JoinIdenticalVertices);
  require(scene != nullptr);
  TriangleMesh mesh;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const aiMesh& part = *scene->mMeshes[m];
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (unsigned i = 0; i < part.mNumVertices; ++i) {
      const aiVector3D& v = part.mVertices[i];
      mesh.vertices.push_back({v.x, v.y, v.z});
    }
    for (unsigned i = 0; i < part.mNumFaces; ++i) {
      const aiFace& face = part.mFaces[i];
      if (face.mNumIndices != 3) continue;
      mesh.triangles.push_back(
          {first + face.mIndices[0], first + face.mIndices[1], first + face.mIndices[2]});
    }
  }
  return mesh;
}
#endif

TriangleMesh read_any(const std::filesystem::path& file) {
  const std::string extension = extension_of(file);
  for (const auto& [known, parse] : kParsers) {
    if (extension == known) return parse(read_file(file), file.string());
  }
#ifdef TACTUS_WITH_ASSIMP
  return import_with_assimp(file);
#else
  throw FileError(file.string() + kUnknownFormat + ")");
#endif
}

}  // namespace

namespace {
void require_finite(const std::vector<Vec3>& vertices, const std::filesystem::path& file) {
  if (vertices.empty()) throw FileError(file.string() + ": has no vertices");
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (!is_finite(vertices[i])) {
      throw FileError(fmt::format("{}: vertex {} is not finite", file.string(), i));
    }
  }
}
}  // namespace

TriangleMesh read_mesh(const std::filesystem::path& file) {
  TriangleMesh mesh = read_any(file);
  try {
    validate(mesh);
  } catch (const InvalidInput& error) {
    throw FileError(fmt::format("{}: {}", file.string(), error.what()));
  }
  return mesh;
}

std::vector<Vec3> read_points(const std::filesystem::path& file) {
  TriangleMesh mesh = read_any(file);
  require_finite(mesh.vertices, file);
  return std::move(mesh.vertices);
}

std::vector<NamedMesh> read_objects(const std::filesystem::path& file) {
  if (extension_of(file) != ".obj") return {{file.stem().string(), read_any(file)}};
  std::vector<NamedMesh> objects = parse_obj_objects(read_file(file), file.string());
  if (objects.empty()) throw FileError(file.string() + ": has no vertices");
  for (const NamedMesh& object : objects) require_finite(object.mesh.vertices, file);
  return objects;
}

}  // namespace tactus::io
