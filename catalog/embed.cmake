cmake_minimum_required(VERSION 3.22)
# cmake -DOUTPUT=file.cpp -DFILES=a.toml|b.toml -P embed.cmake
# Writes a C++ file that holds the catalog as text. What every start may need to know (labels, signs, variables, packages) is kept
# beside the text, so that no TOML has to be read for it. unusable.toml is no entry but a list of its own.
string(REPLACE "|" ";" files "${FILES}")

function(values text key out)
  set(found "")
  if(text MATCHES "(^|\n)${key} *= *\\[([^]\n]*)\\]")
    string(REGEX REPLACE "[\" ]" "" found "${CMAKE_MATCH_2}")
  endif()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

set(entries "")
set(unusable "format = 1")
foreach(file IN LISTS files)
  get_filename_component(id "${file}" NAME_WLE)
  file(READ "${file}" text)
  values("${text}" labels labels)
  values("${text}" seen seen)
  values("${text}" variables variables)
  string(REGEX MATCHALL "(^|\n)name = \"[^\"\n]*\"" packages "${text}")
  string(REGEX REPLACE "\n?name = \"([^\"]*)\"" "\\1" packages "${packages}")
  string(REPLACE ";" "," packages "${packages}")
  # A raw string must stay under the 64 KiB that some compilers take.
  string(LENGTH "${text}" length)
  if(length GREATER 60000)
    message(FATAL_ERROR "${file} is too long to be embedded: ${length} bytes")
  endif()
  if(id STREQUAL "unusable")
    set(unusable "${text}")
  else()
    string(APPEND entries "    {\"${id}\", \"${labels}\", \"${seen}\", \"${variables}\", \"${packages}\",\n     R\"catalog(${text})catalog\"},\n")
  endif()
endforeach()

file(WRITE "${OUTPUT}.new" "#include \"registry/embedded.h\"

namespace pier::registry {
namespace {

constexpr EmbeddedEntry entries[] = {
${entries}};

}  // namespace

std::span<const EmbeddedEntry> embedded_entries() { return entries; }

std::string_view embedded_unusable() { return R\"catalog(${unusable})catalog\"; }

}  // namespace pier::registry
")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
file(REMOVE "${OUTPUT}.new")
