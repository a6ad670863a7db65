# tactus_unity(<target> <source>...) sets `sources` to files that include the given ones, several each (tools/unity), or
# to the given ones where there is no Python. Builds that are made once are faster so; where the code is worked on
# (preset plain), TACTUS_UNITY is off, and a changed source compiles alone.
find_package(Python3 COMPONENTS Interpreter QUIET)
function(tactus_unity target)
  if(Python3_FOUND AND ARGN)
    execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/unity
                            ${PROJECT_BINARY_DIR}/unity/${target} ${ARGN}
                    OUTPUT_VARIABLE bundles OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "\n" ";" sources "${bundles}")
    set(sources ${sources} PARENT_SCOPE)
  else()
    set(sources ${ARGN} PARENT_SCOPE)
  endif()
endfunction()

# tactus_sources(<target> <glob>...) sets `sources` to the files of the globs, in bundles where TACTUS_UNITY is on.
macro(tactus_sources target)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${ARGN})
  if(TACTUS_UNITY)
    tactus_unity(${target} ${sources})
  endif()
endmacro()
