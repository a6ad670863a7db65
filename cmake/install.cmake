# Install and export: find_package(Tactus) gives tactus::tactus, tactus::classic and tactus::c, find_package(Tactus COMPONENTS io) also tactus::io.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tactus)

# The public headers are all that users see: include/tactus.
# Components are the packages of cmake/packages.cmake.
install(DIRECTORY include/tactus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN *.hpp PATTERN *.h PATTERN io.hpp EXCLUDE PATTERN robot_files.hpp EXCLUDE)
set(destinations ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
                 LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
                 RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT library)
install(TARGETS tactus tactus_classic tactus_c tactus_distributed EXPORT TactusTargets ${destinations})
install(EXPORT TactusTargets NAMESPACE tactus:: DESTINATION ${package_dir} COMPONENT development)
if(TARGET tactus_io)
  install(FILES include/tactus/io.hpp include/tactus/robot_files.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tactus COMPONENT development)
  install(TARGETS tactus_io EXPORT TactusIoTargets ${destinations})
  install(EXPORT TactusIoTargets NAMESPACE tactus:: DESTINATION ${package_dir} COMPONENT development)
endif()
if(TARGET tactus_program)
  install(TARGETS tactus_program tactus_laboratory RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/tactus COMPONENT program FILES_MATCHING PATTERN *.json)
  # Made by the program of its own tree of commands (apps/tactus/CMakeLists.txt).
  set(shell ${PROJECT_BINARY_DIR}/shell)
  install(DIRECTORY ${shell}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
  install(FILES ${shell}/tactus.bash RENAME tactus DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          COMPONENT program)
  install(FILES ${shell}/tactus.zsh RENAME _tactus DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
          COMPONENT program)
  install(FILES ${shell}/tactus.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
  # The second opinion on what the program answers.
  install(DIRECTORY verify DESTINATION ${CMAKE_INSTALL_DATADIR}/tactus COMPONENT program FILES_MATCHING PATTERN *.py)
  configure_file(cmake/tactus-verify.in ${PROJECT_BINARY_DIR}/tactus-verify @ONLY)
  install(PROGRAMS ${PROJECT_BINARY_DIR}/tactus-verify DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()

# A project in C alone does not know the standard library of C++, which static libraries need.
set(TACTUS_CXX_RUNTIME ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(FILTER TACTUS_CXX_RUNTIME INCLUDE REGEX "^(stdc\\+\\+|c\\+\\+|c\\+\\+abi|m)$")
list(REMOVE_DUPLICATES TACTUS_CXX_RUNTIME)
configure_package_config_file(cmake/TactusConfig.cmake.in ${PROJECT_BINARY_DIR}/cmake/TactusConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
# Before 1.0 every minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/TactusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/TactusConfig.cmake ${PROJECT_BINARY_DIR}/cmake/TactusConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT development)

# For pkg-config: found from where the files lie, and with what static libraries need.
file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
set(TACTUS_PC_LIBS_tbb -ltbb)
set(TACTUS_PC_LIBS_std -pthread)
set(TACTUS_PC_LIBS ${TACTUS_PC_LIBS_${TACTUS_THREADS_BACKEND}})
set(TACTUS_C_PC_LIBS -ltactus_c)
set(TACTUS_C_PC_CFLAGS)
if(BUILD_SHARED_LIBS)
  set(TACTUS_PC_LIBS)
  set(TACTUS_C_PC_CFLAGS -DTACTUS_C_SHARED)
else()
  string(APPEND TACTUS_C_PC_LIBS " -ltactus ${TACTUS_PC_LIBS}")
  foreach(library ${TACTUS_CXX_RUNTIME})
    string(APPEND TACTUS_C_PC_LIBS " -l${library}")
  endforeach()
endif()
configure_file(cmake/tactus.pc.in ${PROJECT_BINARY_DIR}/tactus.pc @ONLY)
if(TARGET tactus_io)
  # fmt, assimp, tinyxml2 and libsdformat stay behind shared libraries.
  set(TACTUS_IO_PC_REQUIRES "tactus, nlohmann_json")
  set(TACTUS_IO_PC_LIBS)
  if(NOT BUILD_SHARED_LIBS)
    string(APPEND TACTUS_IO_PC_REQUIRES ", fmt")
    if(TACTUS_WITH_ASSIMP)
      string(APPEND TACTUS_IO_PC_REQUIRES ", assimp")
    endif()
    if(TACTUS_FOUND_TINYXML2)
      string(APPEND TACTUS_IO_PC_REQUIRES ", tinyxml2")
    endif()
    if(TACTUS_FOUND_SDFORMAT)
      # Its own pkg-config file asks for C++17, behind the standard that the caller has chosen.
      set(TACTUS_IO_PC_LIBS " -lsdformat12 -lignition-math6")
    endif()
  endif()
  configure_file(cmake/tactus_io.pc.in ${PROJECT_BINARY_DIR}/tactus_io.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/tactus_io.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endif()
configure_file(cmake/tactus_c.pc.in ${PROJECT_BINARY_DIR}/tactus_c.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tactus.pc ${PROJECT_BINARY_DIR}/tactus_c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT development)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)
