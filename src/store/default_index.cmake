# PIER_DEFAULT_INDEX_URL: the package index of a machine that is not set up for another one. It is what the installed pip
# uses; without pip it is empty, until a later configuration finds one, and pier says how to name an index.
include_guard()

if(NOT DEFINED CACHE{PIER_DEFAULT_INDEX_URL})
  find_program(PIER_PYTHON3 NAMES python3 python)
  set(found "")
  if(PIER_PYTHON3)
    execute_process(
      COMMAND "${PIER_PYTHON3}" -c "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"
      OUTPUT_VARIABLE found ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
    if(failed OR NOT found MATCHES "^https://[^ \"\\]+$")
      set(found "")
    endif()
  endif()
  if(found STREQUAL "")
    message(STATUS "pip was not found, so pier has no default package index; -DPIER_DEFAULT_INDEX_URL=... sets one")
    set(PIER_DEFAULT_INDEX_URL "")
  else()
    set(PIER_DEFAULT_INDEX_URL "${found}" CACHE STRING "Package index when the machine is not set up for another one")
  endif()
endif()
