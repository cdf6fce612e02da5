#include "binary_report.h"

#include <algorithm>

#include <pier/error.h>

#include "base/platform.h"
#include "base/text.h"
#include "output.h"

namespace pier::cli {
namespace {

constexpr std::string_view entry_symbol = "GetPjrtApi";

std::string system_text(const Binary& binary, const Image& image) {
  if (!image.minimum_system) return "-";
  const std::string number = to_string(*image.minimum_system);
  switch (binary.format) {
    case BinaryFormat::macho: return (image.platform.starts_with("macos") ? "macOS " : "") + number;
    case BinaryFormat::elf: return "glibc " + number;
    case BinaryFormat::pe: return "Windows " + number;
  }
  return number;
}

std::string entry_text(const Image& image) {
  if (const auto found = image.find_export(entry_symbol)) return *found;
  std::string out = "not exported";
  if (const auto similar = image.similar_exports(entry_symbol); !similar.empty()) out += "; similar: " + join(similar);
  return out;
}

std::vector<std::string> needed_names(const Image& image) {
  std::vector<std::string> names;
  for (const NeededLibrary& library : image.needed) names.push_back(library.name + (library.optional ? " (optional)" : ""));
  return names;
}

std::string image_text(const Binary& binary, const Image& image) {
  Table table;
  table.row({"platform", image.platform});
  table.row({"architecture", image.arch});
  table.row({"minimum system", system_text(binary, image)});
  if (image.sdk) table.row({"built with SDK", to_string(*image.sdk)});
  table.row({"kind", std::string(name(image.kind))});
  table.row({"entry symbol", entry_text(image)});
  if (!image.soname.empty()) table.row({"own name", image.soname});
  if (binary.format == BinaryFormat::macho) table.row({"signature", std::string(name(image.signature))});
  const std::vector<std::string> needed = needed_names(image);
  for (std::size_t i = 0; i < needed.size(); ++i) table.row({i == 0 ? "needs" : "", needed[i]});
  if (needed.empty()) table.row({"needs", "no other library"});
  return table.text(2);
}

Json image_json(const Image& image) {
  Json needed = Json::array();
  for (const NeededLibrary& library : image.needed)
    needed.push(std::move(Json::object().set("name", library.name).set("optional", library.optional)));
  const auto entry = image.find_export(entry_symbol);
  Json json = Json::object();
  json.set("platform", image.platform)
      .set("arch", image.arch)
      .set("kind", name(image.kind))
      .set("minimum_system", image.minimum_system ? Json(to_string(*image.minimum_system)) : Json())
      .set("sdk", image.sdk ? Json(to_string(*image.sdk)) : Json())
      .set("soname", image.soname)
      .set("build_id", image.build_id)
      .set("signature", name(image.signature))
      .set("entry_symbol", entry ? Json(*entry) : Json())
      .set("needed", std::move(needed))
      .set("rpath", Json::array_of(image.rpath))
      .set("runpath", Json::array_of(image.runpath));
  return json;
}

}  // namespace

bool is_for_this_machine(const Binary& binary) { return binary.image_for(to_string(host_platform())) != nullptr; }

std::string cannot_load_text(const Binary& binary) {
  return text("this machine ({}) cannot load it: it is for {}", to_string(host_platform()), printable(binary.platforms()));
}

Preflight read_binary(const std::filesystem::path& path) {
  const Binary binary = inspect(path);
  PreflightOptions options;
  if (!is_for_this_machine(binary)) {
    try {
      options.platform = to_string(parse_platform(binary.images.front().platform));
    } catch (const Error&) {
      // A system that pier does not know (iOS, FreeBSD): checked against this machine, which refuses it.
    }
  }
  return preflight(binary, options);
}

std::string binary_text(const Preflight& preflight) {
  std::string out;
  if (preflight.binary) {
    const Binary& binary = *preflight.binary;
    Table table;
    table.row({"library", binary.name});
    table.row({"size", bytes_text(binary.size)});
    table.row({"format", std::string(name(binary.format)) + (binary.universal ? ", universal" : "")});
    out += table.text();
    for (const Image& image : binary.images) out += image_text(binary, image);
  }
  for (const Finding& finding : preflight.findings) {
    // Said once, at the end, by cannot_load_text().
    if (finding.code == "foreign") continue;
    out += text("{}: {}\n", name(finding.severity), hanging(printable(finding.message), 2));
    if (!finding.remedy.empty()) out += text("  {}\n", hanging(printable(finding.remedy), 4));
  }
  return out;
}

Json findings_json(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings)
    list.push(std::move(Json::object()
                            .set("severity", name(finding.severity))
                            .set("code", finding.code)
                            .set("message", finding.message)
                            .set("remedy", finding.remedy)));
  return list;
}

Json binary_json(const Preflight& preflight) {
  Json json = Json::object();
  if (preflight.binary) {
    const Binary& binary = *preflight.binary;
    Json images = Json::array();
    for (const Image& image : binary.images) images.push(image_json(image));
    json.set("path", binary.name)
        .set("size", binary.size)
        .set("format", name(binary.format))
        .set("universal", binary.universal)
        .set("images", std::move(images))
        .set("loadable_here", is_for_this_machine(binary) && preflight.ok());
  }
  json.set("findings", findings_json(preflight.findings));
  return json;
}

}  // namespace pier::cli
