# late_library(OUT FILE name...)
#   Sets OUT to a C++ initialiser of the names under which the library FILE can be opened when the program runs: its own
#   shared-object name first, then the names given. Linking the library instead would load it at every start.
include_guard()

function(late_library out file)
  set(names)
  if(CMAKE_SYSTEM_NAME STREQUAL "Darwin")
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
  list(TRANSFORM names PREPEND "\"")
  list(TRANSFORM names APPEND "\"")
  list(JOIN names "," names)
  set(${out} "${names}" PARENT_SCOPE)
endfunction()
