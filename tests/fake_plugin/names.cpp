#include "fake_plugin/names.h"

#include <cstdlib>
#include <string>
#include <vector>

namespace fake {
namespace {

struct Function {
  std::string_view name;
  const pier::abi::StructFact* arguments = nullptr;
  int extension = -1;
  std::size_t offset = 0;
};

std::vector<Function> list_functions() {
  std::vector<Function> all;
  for (const pier::abi::FunctionFact& fact : pier::abi::functions()) all.push_back({fact.name, fact.args, -1, fact.offset});
  for (const pier::abi::ExtensionFact& extension : pier::abi::extensions()) {
    for (const pier::abi::MemberFact& member : extension.functions) {
      const std::string arguments = std::string(member.name) + "_Args";
      all.push_back({member.name, pier::abi::find_struct(arguments), extension.type, member.offset});
    }
  }
  all.push_back({"constructor"});
  all.push_back({"GetPjrtApi"});
  return all;
}

const std::vector<Function>& directory() {
  static const std::vector<Function>& all = *new std::vector<Function>(list_functions());
  return all;
}

FunctionId find_place(int extension, std::size_t offset) {
  const std::vector<Function>& all = directory();
  for (FunctionId id = 0; id < all.size(); ++id) {
    if (all[id].extension == extension && all[id].offset == offset) return id;
  }
  std::abort();
}

}  // namespace

std::size_t function_count() { return directory().size(); }
std::string_view function_name(FunctionId id) { return directory().at(id).name; }

std::optional<FunctionId> find_function(std::string_view name) {
  const std::vector<Function>& all = directory();
  for (FunctionId id = 0; id < all.size(); ++id) {
    const std::string_view full = all[id].name;
    if (full == name || (full.starts_with("PJRT_") && full.substr(5) == name)) return id;
  }
  return std::nullopt;
}

const pier::abi::StructFact* argument_fact(FunctionId id) { return directory().at(id).arguments; }
bool is_destroy(FunctionId id) { return function_name(id).ends_with("_Destroy"); }

bool is_allowed_early(FunctionId id) {
  return function_name(id).starts_with("PJRT_Error_") || function_name(id) == "PJRT_Plugin_Initialize";
}

FunctionId core_function(std::size_t offset) { return find_place(-1, offset); }
FunctionId extension_function(int type, std::size_t offset) { return find_place(type, offset); }
FunctionId constructor_moment() { return directory().size() - 2; }
FunctionId get_api_moment() { return directory().size() - 1; }

}  // namespace fake
