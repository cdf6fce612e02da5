#include <algorithm>
#include <vector>

#include "inspect/macho.h"

namespace pier::inspection {
namespace {

constexpr std::string_view in_trie = "the export trie";
constexpr std::string_view in_symbols = "the symbol table";

class MachoSymbols final : public Image::Symbols {
 public:
  MachoSymbols(const Reader& image, const Owner& owner, int bits, const MachoTables& tables)
      : image_(image), owner_(owner), bits_(bits), tables_(tables) {}

  std::optional<std::string> find(std::string_view symbol) const override {
    // C names carry an underscore in Mach-O.
    const std::string spelled = text("_{}", symbol);
    bool found = false;
    if (tables_.trie) found = in_export_trie(spelled);
    else
      each_in_table([&](const Reader& strings, std::uint64_t at) { return !(found = strings.holds(at, spelled, in_symbols)); });
    if (!found) return std::nullopt;
    return spelled;
  }

  void each(const std::function<bool(std::string_view)>& visit) const override {
    const auto as_c = [&](std::string_view name) { return visit(name.starts_with('_') ? name.substr(1) : name); };
    if (tables_.trie) each_in_trie(as_c);
    else {
      NameReader names;
      each_in_table([&](const Reader& strings, std::uint64_t at) {
        const auto name = names.at(strings, at);
        return name && (name->empty() || as_c(*name));
      });
    }
  }

 private:
  struct Cursor {
    Reader bytes;
    std::uint64_t at = 0;

    std::uint64_t number() {  // unsigned LEB128
      std::uint64_t value = 0;
      for (unsigned shift = 0;; shift += 7) {
        const std::uint8_t byte = bytes.u8(at++, in_trie);
        const std::uint64_t bits = byte & 0x7fu;
        if (shift > 63 || (shift == 63 && bits > 1)) bytes.fail("a number in the export trie has more than 64 bits", at);
        value |= bits << shift;
        if (!(byte & 0x80)) return value;
      }
    }
    std::string_view string() {
      const std::string_view out = bytes.string(at, in_trie, std::size_t{1} << 20);
      at += out.size() + 1;
      return out;
    }
  };

  struct Node {
    bool is_symbol = false;
    std::uint8_t children = 0;
    Cursor edges;
  };

  Reader trie() const { return image_.part(tables_.trie->offset, tables_.trie->size, in_trie); }

  // A node: the size of what it says about its symbol (0: none), that, then a count of edges to children.
  static Node node_at(const Reader& trie, std::uint64_t offset) {
    Cursor cursor{trie, offset};
    const std::uint64_t size = cursor.number();
    trie.require(cursor.at, size, in_trie);
    cursor.at += size;
    const std::uint8_t children = trie.u8(cursor.at++, in_trie);
    return {size != 0, children, cursor};
  }

  bool in_export_trie(std::string_view wanted) const {
    const Reader bytes = trie();
    Node node = node_at(bytes, 0);
    // Each edge takes at least one character, or the trie is not one; so this ends with the name.
    while (!wanted.empty()) {
      bool taken = false;
      for (unsigned i = 0; i < node.children && !taken; ++i) {
        const std::string_view edge = node.edges.string();
        const std::uint64_t child = node.edges.number();
        if (edge.empty()) bytes.fail("an edge of the export trie has no name", node.edges.at);
        if (!wanted.starts_with(edge)) continue;
        wanted.remove_prefix(edge.size());
        node = node_at(bytes, child);
        taken = true;
      }
      if (!taken) return false;
    }
    return node.is_symbol;
  }

  void each_in_trie(const std::function<bool(std::string_view)>& visit) const {
    const Reader bytes = trie();
    struct Step {
      std::uint64_t node;
      std::size_t prefix;
      std::string_view edge;
    };
    NameReader budget;
    std::vector<bool> seen(static_cast<std::size_t>(bytes.size()));
    std::vector<Step> steps = {{0, 0, {}}};
    std::string name;
    while (!steps.empty()) {
      const Step step = steps.back();
      steps.pop_back();
      bytes.require(step.node, 1, in_trie);
      // In a tree every node has one parent; a second visit would be a circle or a blow-up.
      if (seen[static_cast<std::size_t>(step.node)]) bytes.fail("the export trie is not a tree", step.node);
      seen[static_cast<std::size_t>(step.node)] = true;
      name.resize(step.prefix);
      name += step.edge;
      Node node = node_at(bytes, step.node);
      if (node.is_symbol && !visit(name)) return;
      for (unsigned i = 0; i < node.children; ++i) {
        const std::string_view edge = node.edges.string();
        const std::uint64_t child = node.edges.number();
        // Overlapping nodes could share one long edge.
        if (!budget.take(edge.size() + 16)) return;
        if (name.size() + edge.size() <= NameReader::longest) steps.push_back({child, name.size(), edge});
      }
    }
  }

  // The table of all symbols, for files from before the trie.
  void each_in_table(const std::function<bool(const Reader& strings, std::uint64_t at)>& visit) const {
    if (!tables_.symbols) return;
    constexpr unsigned debugging = 0xe0, private_external = 0x10, type_bits = 0x0e, external = 0x01;
    const std::uint64_t size = bits_ == 64 ? 16 : 12;
    const Reader table = image_.part(tables_.symbols->offset, tables_.symbols->size * size, in_symbols);
    const Reader strings = image_.part(tables_.strings.offset, tables_.strings.size, "the string table");
    for (std::uint64_t i = 0; i < tables_.symbols->size; ++i) {
      const unsigned type = table.u8(i * size + 4, in_symbols);
      // Type 0 is a symbol that is needed here and defined elsewhere.
      if ((type & (debugging | private_external)) || !(type & external) || (type & type_bits) == 0) continue;
      if (!visit(strings, table.u32(i * size, in_symbols))) return;
    }
  }

  Reader image_;
  Owner owner_;
  int bits_;
  MachoTables tables_;
};

}  // namespace

std::shared_ptr<const Image::Symbols> make_macho_symbols(const Reader& image, const Owner& owner, int bits,
                                                         const MachoTables& tables) {
  return std::make_shared<MachoSymbols>(image, owner, bits, tables);
}

}  // namespace pier::inspection
