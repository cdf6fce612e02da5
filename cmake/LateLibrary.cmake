# pier_late_library(SOURCE DEFINITION FILE name...)
#   Defines DEFINITION for SOURCE as a C++ list of the names under which the library FILE can be opened when the program runs
#   (see src/base/late.h): its own shared-object name first, then the names given. Linking the library instead would load it
#   at every start.
include_guard()

function(pier_late_library source definition file)
  set(names)
  if(APPLE)
    # An install name may hold @rpath, which the loader cannot resolve for us: the file itself comes first.
    list(APPEND names "${file}")
  elseif(CMAKE_OBJDUMP AND EXISTS "${file}")
    execute_process(COMMAND "${CMAKE_OBJDUMP}" -p "${file}" OUTPUT_VARIABLE headers ERROR_QUIET)
    if(headers MATCHES "SONAME[ \t]+([^ \t\n]+)")
      list(APPEND names "${CMAKE_MATCH_1}")
    endif()
  endif()
  list(APPEND names ${ARGN})
  list(REMOVE_DUPLICATES names)
  list(TRANSFORM names REPLACE "(.+)" "\"\\1\"")
  list(JOIN names "," names)
  set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS "${definition}=${names}")
endfunction()
