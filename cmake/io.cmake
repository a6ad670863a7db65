# tactus::io: meshes, scenes, queries, recordings, exports. fmt and assimp stay behind its .cpp files.
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)
if(TACTUS_WITH_ASSIMP)
  find_package(assimp REQUIRED)
endif()
find_path(TACTUS_STB stb/stb_image.h REQUIRED DOC "Folder of stb/stb_image.h (libstb-dev)")

tactus_sources(tactus_io ${PROJECT_SOURCE_DIR}/tactus/io/*/*.cpp)
if(sources)
  add_library(tactus_io ${sources})
  add_library(tactus::io ALIAS tactus_io)
  set_target_properties(tactus_io PROPERTIES EXPORT_NAME io VERSION ${PROJECT_VERSION} SOVERSION ${TACTUS_SOVERSION})
  # Parsers and printers gain nothing by -O3, and compiling them takes a third of `make demo`.
  target_compile_options(tactus_io PRIVATE $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU,Clang,AppleClang>>:-O2>)
  target_link_libraries(tactus_io PUBLIC tactus nlohmann_json::nlohmann_json
                        PRIVATE $<BUILD_INTERFACE:tactus_options> fmt::fmt)
  target_include_directories(tactus_io SYSTEM PRIVATE ${TACTUS_STB})
  if(TACTUS_WITH_ASSIMP)
    target_link_libraries(tactus_io PRIVATE assimp::assimp)
    target_compile_definitions(tactus_io PRIVATE TACTUS_WITH_ASSIMP)
  endif()
  include(player)
endif()
