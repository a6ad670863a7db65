# The core library: one object library per floor folder, all merged into tactus::tactus.

# What every target of this project is compiled with; not exported.
add_library(tactus_options INTERFACE)
target_compile_features(tactus_options INTERFACE cxx_std_20)
target_include_directories(tactus_options INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR})
# The names of the last version are for programs that users have.
target_compile_definitions(tactus_options INTERFACE TACTUS_WITHOUT_DEPRECATED)
target_compile_options(tactus_options INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion)

# g++ 12 warns of overlapping copies inside std::string where there are none (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(tactus_options INTERFACE -Wno-restrict)
endif()
# A source that includes others is no header, as g++ takes it for.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND TACTUS_UNITY)
  target_compile_options(tactus_options INTERFACE -Wno-subobject-linkage)
endif()
# The stable_sort of g++ 12's library uses what C++17 deprecated, and clang says so at every use.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(tactus_options INTERFACE -Wno-deprecated-declarations)
endif()

# A shared library (BUILD_SHARED_LIBS) exports all of C++: what programs may use is what the headers declare. On Windows
# CMake lists the functions for the linker.
if(BUILD_SHARED_LIBS)
  set(CMAKE_WINDOWS_EXPORT_ALL_SYMBOLS ON)
  # Installed libraries find each other side by side, the program finds them in lib.
  if(APPLE)
    set(CMAKE_INSTALL_RPATH "@loader_path;@loader_path/../lib")
  else()
    set(CMAKE_INSTALL_RPATH "$ORIGIN;$ORIGIN/../lib")
  endif()
endif()
# Before 1.0 every minor version may change the interface of C++.
set(TACTUS_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# tactus_library(<target>): its objects serve programs, shared libraries and the Python module alike, and a cache of objects
# has them for every build.
function(tactus_library target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON DEFINE_SYMBOL "")
  # Calls within the library stay within it, and can be inlined, as clang has it.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  endif()
endfunction()

add_library(tactus)
set_target_properties(tactus PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${TACTUS_SOVERSION})
add_library(tactus::tactus ALIAS tactus)
target_compile_features(tactus PUBLIC cxx_std_20)
target_include_directories(tactus PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
# No contraction into FMA: the same bits on every compiler and instruction set. Users inherit it, since inline functions
# of the headers are compiled into their code.
target_compile_options(tactus_options INTERFACE -ffp-contract=off)
target_compile_options(tactus PUBLIC -ffp-contract=off)

# tactus_floor(<folder>): sources are found by name, so a new file needs no line here.
function(tactus_floor folder)
  tactus_sources(tactus_${folder} ${PROJECT_SOURCE_DIR}/tactus/${folder}/*.cpp)
  if(sources)
    add_library(tactus_${folder} OBJECT ${sources})
    tactus_library(tactus_${folder})
    target_link_libraries(tactus_${folder} PRIVATE tactus_options)
    target_sources(tactus PRIVATE $<TARGET_OBJECTS:tactus_${folder}>)
  endif()
endfunction()

set(TACTUS_FLOORS core math planar ccd mesh shape bvh narrow broad query motion check fit rigid soft robot)
foreach(folder ${TACTUS_FLOORS})
  tactus_floor(${folder})
endforeach()

# Where nothing can share a world, as in a browser, its code for other ranks is dead weight.
option(TACTUS_RANKS "Worlds that several ranks share" ON)
if(NOT TACTUS_RANKS)
  target_compile_definitions(tactus_rigid PRIVATE TACTUS_WITHOUT_RANKS)
endif()

# The algorithms of the literature, for those who ask for them: enable_classic_methods().
tactus_sources(tactus_classic ${PROJECT_SOURCE_DIR}/tactus/classic/*.cpp)
add_library(tactus_classic ${sources})
tactus_library(tactus_classic)
add_library(tactus::classic ALIAS tactus_classic)
set_target_properties(tactus_classic PROPERTIES EXPORT_NAME classic VERSION ${PROJECT_VERSION} SOVERSION ${TACTUS_SOVERSION})
target_link_libraries(tactus_classic PUBLIC tactus PRIVATE $<BUILD_INTERFACE:tactus_options>)
include(threads)
