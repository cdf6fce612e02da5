# pier_room(NAME DEPENDS room... SOURCES file... [LINK target...])
#   One room of the house: a static library that may use only the rooms it names (and what those use). Besides the library
#   it makes NAME_closed, a shared library that must link with nothing but those rooms: a call into a room above or
#   beside fails the build there.
# pier_test(NAME ROOMS room... SOURCES file... [LINK target...] [LABELS label...] [TIMEOUT seconds])
#   A GoogleTest program; each of its tests becomes a ctest test.
include_guard()

# -O3 makes nothing of ours measurably faster and compiling slower.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

add_library(pier_warnings INTERFACE)
target_compile_options(pier_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  $<$<BOOL:${PIER_WERROR}>:-Werror>
  # Designated initialisers leave the rest zeroed on purpose: that is how argument structs are filled.
  -Wno-missing-field-initializers
  $<$<CXX_COMPILER_ID:Clang>:-Wno-missing-designated-field-initializers>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-unknown-warning-option>)
if(PIER_SANITIZE)
  target_compile_options(pier_warnings INTERFACE -fsanitize=${PIER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(pier_warnings INTERFACE -fsanitize=${PIER_SANITIZE})
endif()

# The headers of the language that most of our files include are read once: a third of the time of a build. What a file
# uses it includes all the same; -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON shows that it does.
set(pier_std_headers <algorithm> <array> <atomic> <chrono> <cstdint> <cstring> <exception> <filesystem> <functional> <map> <memory>
  <mutex> <optional> <set> <span> <string> <string_view> <system_error> <thread> <utility> <variant> <vector>)

function(pier_precompiled name)
  add_library(${name} OBJECT "${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp")
  target_link_libraries(${name} PRIVATE pier_warnings)
  target_precompile_headers(${name} PRIVATE ${pier_std_headers} ${ARGN})
endfunction()

# For our own code.
function(pier_compile name)
  if(NOT TARGET pier_headers)
    pier_precompiled(pier_headers)
  endif()
  target_precompile_headers(${name} PRIVATE REUSE_FROM pier_headers)
  get_target_property(type ${name} TYPE)
  if(type STREQUAL "EXECUTABLE")
    # Precompiled headers serve one kind of code.
    target_compile_options(${name} PRIVATE -fPIC)
  endif()
endfunction()

# For test programs, which have GoogleTest's headers besides, and nothing is optimised that runs for milliseconds.
function(pier_compile_fast name)
  if(NOT TARGET pier_test_headers)
    pier_precompiled(pier_test_headers <fstream> <sstream> <gmock/gmock.h> <gtest/gtest.h>)
    target_link_libraries(pier_test_headers PRIVATE GTest::gmock Threads::Threads)
    target_compile_options(pier_test_headers PRIVATE -fPIE $<$<CONFIG:Release>:-O0>)
  endif()
  target_precompile_headers(${name} REUSE_FROM pier_test_headers)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O0>)
endfunction()

function(pier_room name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;SOURCES;LINK" ${ARGN})
  add_library(pier_${name} STATIC ${ARG_SOURCES})
  target_include_directories(pier_${name} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>")
  list(TRANSFORM ARG_DEPENDS PREPEND pier_ OUTPUT_VARIABLE rooms)
  target_link_libraries(pier_${name} PUBLIC ${rooms} PRIVATE pier_warnings ${ARG_LINK})
  pier_compile(pier_${name})
  # The sanitizers leave their runtime's symbols open on purpose, so only plain Linux builds can close a room.
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT PIER_SANITIZE)
    add_library(${name}_closed SHARED $<TARGET_OBJECTS:pier_${name}>)
    set_target_properties(${name}_closed PROPERTIES LINKER_LANGUAGE CXX
      LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/closed")
    target_link_libraries(${name}_closed PRIVATE ${rooms} ${ARG_LINK})
    target_link_options(${name}_closed PRIVATE -Wl,-z,defs)
  endif()
  set_property(GLOBAL APPEND PROPERTY PIER_ROOMS ${name})
endfunction()

function(pier_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "ROOMS;SOURCES;LINK;LABELS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  list(TRANSFORM ARG_ROOMS PREPEND pier_ OUTPUT_VARIABLE rooms)
  target_link_libraries(${name} PRIVATE ${rooms} pier_warnings GTest::gmock GTest::gtest_main ${ARG_LINK})
  pier_compile_fast(${name})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
    PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT}
    # A skipped test counts as a failed one: nothing that is required may be passed over.
    FAIL_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
endfunction()
