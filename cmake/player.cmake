# The HTML player: three.js and player/src bundled into one page, compiled into tactus::io as a string.
if(NOT TACTUS_PLAYER)
  target_sources(tactus_io PRIVATE ${PROJECT_SOURCE_DIR}/tactus/io/no_player_page.cpp)
  return()
endif()

set(player ${PROJECT_SOURCE_DIR}/player)
find_program(TACTUS_NODE node DOC "Node.js, which bundles the player")
find_program(TACTUS_NPM npm DOC "npm, which fetches what the player is bundled from")
if(NOT TACTUS_NODE OR NOT TACTUS_NPM)
  message(FATAL_ERROR "The HTML player needs Node.js (18 or later) with npm; -DTACTUS_PLAYER=OFF builds without")
endif()
if(NOT EXISTS ${player}/node_modules/esbuild)
  message(STATUS "Fetching the npm packages of the player")
  execute_process(COMMAND ${TACTUS_NPM} ci --no-audit --no-fund --loglevel=error
                  WORKING_DIRECTORY ${player} RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "npm ci failed in ${player}; -DTACTUS_PLAYER=OFF builds without the player")
  endif()
endif()

file(GLOB_RECURSE inputs CONFIGURE_DEPENDS ${player}/src/*.js ${player}/src/*.html ${player}/src/*.css)
set(page ${PROJECT_BINARY_DIR}/player/player_page.cpp)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/player)
add_custom_command(
  OUTPUT ${page}
  COMMAND ${TACTUS_NODE} ${player}/build.mjs ${page}
  DEPENDS ${inputs} ${player}/page.html ${player}/build.mjs ${player}/package-lock.json
  COMMENT "Bundling the HTML player"
  VERBATIM)
target_sources(tactus_io PRIVATE ${page})
