# tactus::io: meshes, scenes, queries, recordings, exports. Its third-party libraries stay behind its .cpp files.
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)
find_package(assimp REQUIRED)

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tactus/io/*.cpp)
if(sources)
  add_library(tactus_io STATIC ${sources})
  add_library(tactus::io ALIAS tactus_io)
  set_target_properties(tactus_io PROPERTIES EXPORT_NAME io)
  target_link_libraries(tactus_io PUBLIC tactus PRIVATE $<BUILD_INTERFACE:tactus_options>
                        $<BUILD_INTERFACE:nlohmann_json::nlohmann_json> fmt::fmt assimp::assimp)
  include(player)
endif()
