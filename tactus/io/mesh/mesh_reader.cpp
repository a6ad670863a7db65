#include <fmt/format.h>

#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include "tactus/core.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/file_content.hpp"
#include "tactus/io/file/file_notes.hpp"
#include "tactus/io/file/line_scanner.hpp"
#include "tactus/io/file/nesting.hpp"
#include "tactus/io/file/standard_input.hpp"
#include "tactus/io/format/gltf/gltf.hpp"
#include "tactus/io/format/obj.hpp"
#include "tactus/io/format/off.hpp"
#include "tactus/io/format/ply.hpp"
#include "tactus/io/format/stl.hpp"
#include "tactus/io/format/xyz.hpp"
#include "tactus/io/mesh/collada.hpp"
#include "tactus/io/mesh/surface_json.hpp"

#ifdef TACTUS_WITH_ASSIMP
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#endif

namespace tactus::io {
namespace {

using Parser = TriangleMesh (*)(std::string_view content, FileNotes& notes);

constexpr std::array<std::pair<std::string_view, Parser>, 8> kParsers = {
    {{".glb", parse_gltf},
     {".gltf", parse_gltf},
     {".json", parse_json_surface},
     {".obj", parse_obj},
     {".off", parse_off},
     {".ply", parse_ply},
     {".stl", parse_stl},
     {".xyz", parse_xyz}}};

constexpr const char* kUnknownFormat =
    ": unknown format (known by their endings are .glb, .gltf, .json, .obj, .off, .ply, .stl, .xyz";

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
  if (file != "-") require_file(file);
  return file_content(file);
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

TriangleMesh import_with_assimp(const std::filesystem::path& file, FileNotes& notes) {
  {
    const std::string content = read_file(file);
    if (is_too_deep(content)) throw FileError(file.string() + ": " + kTooDeep);
    if (extension_of(file) == ".dae") {
      note_collada(content, notes);
      require_named_coordinates(content, notes);
    }
  }
  Assimp::Importer importer;
  // Axes as in the file, as the loaders of robot descriptions take them.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
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

// By assimp, where it can; else the error stands.
TriangleMesh read_other_gltf([[maybe_unused]] const std::filesystem::path& file,
                             [[maybe_unused]] FileNotes& notes, const OtherGltf& error) {
#ifdef TACTUS_WITH_ASSIMP
  try {
    return import_with_assimp(file, notes);
  } catch (const FileError&) {
    throw OtherGltf(error);
  }
#else
  throw OtherGltf(error);
#endif
}

TriangleMesh read_as_it_is(const std::filesystem::path& file, FileNotes& notes) {
  const std::string extension = extension_of(file);
  for (const auto& [known, parse] : kParsers) {
    if (extension != known) continue;
    try {
      return parse(read_file(file), notes);
    } catch (const OtherGltf& error) {
      return read_other_gltf(file, notes, error);
    }
  }
#ifdef TACTUS_WITH_ASSIMP
  return import_with_assimp(file, notes);
#else
  throw FileError(file.string() + kUnknownFormat + ")");
#endif
}

// A rotation, so that what is up becomes z.
void turn(UpAxis up, TriangleMesh& mesh) {
  for (Vec3& v : mesh.vertices) {
    if (up == UpAxis::x) v = {0.0 - v.y, 0.0 - v.z, v.x};
    if (up == UpAxis::y) v = {v.x, 0.0 - v.z, v.y};
  }
}

void hand_over(const FileNotes& notes, const MeshReadOptions& options) {
  if (options.warnings == nullptr) return;
  for (std::string& warning : notes.warnings()) options.warnings->push_back(std::move(warning));
}

TriangleMesh read_any(const std::filesystem::path& file, const MeshReadOptions& options) {
  FileNotes notes(file.string());
  TriangleMesh mesh = read_as_it_is(file, notes);
  hand_over(notes, options);
  turn(options.up, mesh);
  return mesh;
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

TriangleMesh read_mesh(const std::filesystem::path& file, const MeshReadOptions& options) {
  TriangleMesh mesh = read_any(file, options);
  try {
    validate(mesh);
  } catch (const InvalidInput& error) {
    throw FileError(fmt::format("{}: {}", file.string(), error.what()));
  }
  return mesh;
}

std::vector<Vec3> read_points(const std::filesystem::path& file, const MeshReadOptions& options) {
  TriangleMesh mesh = read_any(file, options);
  require_finite(mesh.vertices, file);
  return std::move(mesh.vertices);
}

std::vector<NamedMesh> read_objects(const std::filesystem::path& file,
                                    const MeshReadOptions& options) {
  const std::string extension = extension_of(file);
  const bool is_gltf = extension == ".glb" || extension == ".gltf";
  const auto as_one = [&] {
    return std::vector<NamedMesh>{{file.stem().string(), read_any(file, options)}};
  };
  if (extension != ".obj" && !is_gltf) return as_one();
  FileNotes notes(file.string());
  std::vector<NamedMesh> objects;
  try {
    const std::string content = read_file(file);
    objects = is_gltf ? parse_gltf_objects(content, notes) : parse_obj_objects(content, notes);
  } catch (const OtherGltf&) {
    return as_one();
  }
  hand_over(notes, options);
  if (objects.empty())
    throw FileError(file.string() + (is_gltf ? ": has no triangles" : ": has no vertices"));
  for (NamedMesh& object : objects) {
    require_finite(object.mesh.vertices, file);
    turn(options.up, object.mesh);
  }
  return objects;
}

}  // namespace tactus::io
