#include <pier/attribute.h>

#include "base/text.h"

namespace pier {

std::string to_string(const AttributeValue& value) {
  struct Printer {
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(std::int64_t v) const { return std::to_string(v); }
    std::string operator()(float v) const { return text("{:.9g}", v); }
    std::string operator()(const std::string& v) const { return v; }
    std::string operator()(const std::vector<std::int64_t>& v) const {
      std::string out = "[";
      for (std::size_t i = 0; i < v.size(); ++i) {
        if (i) out += ", ";
        out += std::to_string(v[i]);
      }
      return out + "]";
    }
  };
  return std::visit(Printer{}, value);
}

}  // namespace pier
