# cmake -DBUILD_DIR=... -DSOURCE_DIR=... -DWORK_DIR=... -DGENERATOR=... -DCC=... -DCXX=... -DCXX_FLAGS=... -P run.cmake
# Installs a build of Tactus into WORK_DIR/prefix, then configures, builds and runs the consumer against it alone.
file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK_DIR} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
# What is installed, headers: the public face and nothing else.
file(GLOB_RECURSE headers RELATIVE ${WORK_DIR}/prefix/include ${WORK_DIR}/prefix/include/*)
file(GLOB public RELATIVE ${SOURCE_DIR}/../../include ${SOURCE_DIR}/../../include/tactus/*.hpp
     ${SOURCE_DIR}/../../include/tactus/*.h)
if(NOT EXISTS ${WORK_DIR}/prefix/include/tactus/io.hpp)
  list(REMOVE_ITEM public tactus/io.hpp)
endif()
if(NOT headers STREQUAL public)
  message(FATAL_ERROR "installed headers: ${headers}")
endif()
file(GLOB libraries ${WORK_DIR}/prefix/lib/libtactus.*)
if(NOT libraries)
  message(FATAL_ERROR "no library is installed")
endif()
foreach(file lib/pkgconfig/tactus.pc lib/pkgconfig/tactus_c.pc lib/cmake/Tactus/TactusConfig.cmake share/doc/Tactus/LICENSE)
  if(NOT EXISTS ${WORK_DIR}/prefix/${file})
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE_DIR} -B ${WORK_DIR}/build -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=${CXX_FLAGS} -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/consumer)
run(${WORK_DIR}/build/consumer_classic)
run(${WORK_DIR}/build/consumer_names)
run(${WORK_DIR}/build/consumer_c)
# A project that does not know C++.
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE_DIR}/c -B ${WORK_DIR}/build_c -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix
    -DCMAKE_C_COMPILER=${CC} -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build_c)
run(${WORK_DIR}/build_c/consumer_c)
# The same programs with pkg-config alone, where there is one.
find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${WORK_DIR}/prefix/lib/pkgconfig ${PKG_CONFIG} --cflags --libs tactus
                  OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${CXX_FLAGS} ${flags}")
  run(${CXX} -std=c++20 ${SOURCE_DIR}/main.cpp -o ${WORK_DIR}/consumer_pc ${flags})
  run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${WORK_DIR}/prefix/lib ${WORK_DIR}/consumer_pc)
  if(EXISTS ${WORK_DIR}/prefix/lib/pkgconfig/tactus_io.pc)
    execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${WORK_DIR}/prefix/lib/pkgconfig ${PKG_CONFIG} --cflags --libs tactus_io
                    OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${CXX_FLAGS} ${flags}")
    run(${CXX} -std=c++20 ${SOURCE_DIR}/main_io.cpp -o ${WORK_DIR}/consumer_io_pc ${flags})
    run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${WORK_DIR}/prefix/lib ${WORK_DIR}/consumer_io_pc)
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${WORK_DIR}/prefix/lib/pkgconfig ${PKG_CONFIG} --cflags --libs tactus_c
                  OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run(${CC} -std=c99 ${SOURCE_DIR}/c/main.c -o ${WORK_DIR}/consumer_c_pc ${flags})
  run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${WORK_DIR}/prefix/lib ${WORK_DIR}/consumer_c_pc)
endif()
# The second opinion proves an answer of the program that is installed beside it.
find_program(PYTHON python3)
if(PYTHON AND EXISTS ${WORK_DIR}/prefix/bin/tactus)
  file(WRITE ${WORK_DIR}/query.jsonl [[{"a": {"type": "sphere", "radius": 1}, "b": {"type": "box", "size": [1, 2, 3]}, "pose_b": {"position": [0, 0, 4]}, "ask": "distance"}
]])
  run(${WORK_DIR}/prefix/bin/tactus query --certificate --out ${WORK_DIR}/answer.jsonl ${WORK_DIR}/query.jsonl)
  run(${PYTHON} ${WORK_DIR}/prefix/bin/tactus-verify ${WORK_DIR}/query.jsonl ${WORK_DIR}/answer.jsonl)
endif()
# The io component is installed when it was built.
if(EXISTS ${WORK_DIR}/build/consumer_io)
  run(${WORK_DIR}/build/consumer_io)
endif()
