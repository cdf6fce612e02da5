"""Writes the facts about versions: tables for look-ups by name and number, and constants for checks before a call."""

from emit_header import BANNER, wrapped


def _sizes(rows):
    return ", ".join("{" + ", ".join(str(v if v is not None else 0) for v in row) + "}" for row in rows)


def facts_source(emitter):
    m = emitter.model
    core = [s for s in emitter.structs.values() if emitter.home[s.name] == "core"]
    entries = [emitter.structs[e["entry"]] for e in m.extensions if e["entry"] in emitter.structs]
    gone = [m.structs[e["entry"]] for e in m.extensions if e["entry"] is not None and e["entry"] not in emitter.structs]
    structs = core + [s for s in entries if s not in core] + gone
    out = [BANNER + '#include "abi/facts.h"\n', "namespace pier::abi {", "namespace {\n"]
    for s in structs:
        out.append(wrapped(f"constexpr SizeFact {s.name}_sizes[] = {{{_sizes(s.sizes)}}};", ""))
    out.append("\nconstexpr StructFact struct_facts[] = {")
    index = {}
    for i, s in enumerate(structs):
        index[s.name] = i
        out.append(f'    {{"{s.name}", {s.since}, {s.name}_sizes}},')
    out.append("};\n\nconstexpr FunctionFact function_facts[] = {")
    for f in m.functions:
        out.append(f'    {{"{f["name"]}", {f["offset"]}, {f["since"]}, &struct_facts[{index[f["args"]]}]}},')
    out.append("};\n")
    with_members = set()
    for e in m.extensions:
        s = m.structs.get(e["entry"]) if e["entry"] else None
        if s is not None:
            rows = [f for f in s.fields if f.until is None and (f.type.endswith("*") or f.type in m.signatures) and f.offset >= 24]
            if rows:
                with_members.add(e["name"])
                out.append(f"constexpr MemberFact {e['name']}_members[] = {{")
                out += [f'    {{"{f.name}", {f.offset}, {s.slot_since(f, renamed=False)}}},' for f in rows]
                out.append("};")
        if e["versions"]:
            pairs = ", ".join(f"{{{a}, {b}}}" for a, b in e["versions"])
            out.append(f"constexpr VersionFact {e['name']}_versions[] = {{{pairs}}};")
    out.append("\nconstexpr ExtensionFact extension_facts[] = {")
    for e in m.extensions:
        s = m.structs.get(e["entry"]) if e["entry"] else None
        entry = f"&struct_facts[{index[s.name]}]" if s is not None else "nullptr"
        members = f"{e['name']}_members" if e["name"] in with_members else "{}"
        versions = f"{e['name']}_versions" if e["versions"] else "{}"
        until = s.until if s is not None and s.until is not None else 0
        out.append(f'    {{"{e["name"]}", {e["value"]}, {e["since"]}, {until}, {entry}, {members}, {versions}}},')
    out.append("};\n")
    enums = [(n, e) for n, e in emitter.enums.items() if emitter.home[n] == "core"]
    for name, enum in enums:
        out.append(f"constexpr ValueFact {name}_values[] = {{")
        values = sorted((v for v in enum["values"] if len(v) == 3), key=lambda v: v[1])
        oldest = {}
        for v in enum["values"]:  # a number keeps the minor of the first name it had
            oldest[v[1]] = min(v[2], oldest.get(v[1], v[2]))
        out += [f'    {{"{v[0]}", {v[1]}, {oldest[v[1]]}}},' for v in values]
        out.append("};")
    out.append("\nconstexpr EnumFact enum_facts[] = {")
    out += [f'    {{"{name}", {name}_values}},' for name, _ in enums]
    out.append("};\n\n}  // namespace\n")
    for kind, name in (("StructFact", "struct"), ("FunctionFact", "function"), ("ExtensionFact", "extension"), ("EnumFact", "enum")):
        out.append(f"std::span<const {kind}> {name}s() noexcept {{ return {name}_facts; }}")
    shifted = m.document["shifted_tables"]
    if len(shifted) != 1:
        raise ValueError("the table reader knows of one shifted table")
    s = shifted[0]
    slot = next(f for f in m.functions if f["name"] == s["inserts"])
    out.append(f"\nconst ShiftedTable& shifted_table() noexcept {{\n"
               f"  static constexpr ShiftedTable table{{{s['minor']}, {s['struct_size']}, {s['size']}, {s['at']}, {slot['offset']}}};\n"
               f"  return table;\n}}")
    out.append("\n}  // namespace pier::abi")
    return "\n".join(out) + "\n"


def since_header(emitter):
    m = emitter.model
    out = ["#pragma once\n", BANNER + "// The members of argument structs that came after their struct. table.require(since::...) refuses them by name and",
           "// version; older plugins drop what they do not know without a word.\n",
           '#include "abi/facts.h"\n', "namespace pier::abi::since {\n"]
    for s in emitter.structs.values():
        if emitter.home[s.name] != "core" or s.name in ("PJRT_Api", "PJRT_Extension_Base"):
            continue
        for f in s.now():
            since = s.slot_since(f)
            if since > max(s.since, m.oldest):
                out.append(f'inline constexpr FieldFact {s.name}_{f.name}{{\n    "{s.name}.{f.name}", {since}}};')
    out.append("\n}  // namespace pier::abi::since")
    return "\n".join(out) + "\n"


def traits_header(emitter):
    m = emitter.model
    groups = sorted({emitter.home[e["entry"]] for e in m.extensions if e["entry"] in emitter.structs})
    names = {"extensions": "extensions", "tpu": "tpu"}
    includes = "".join(f'#include "abi/{names[g]}.h"\n' for g in groups)
    out = ["#pragma once\n", BANNER + "// Which extension type each entry struct stands for.\n", includes, "namespace pier::abi {\n",
           "template <class Entry>\nstruct ExtensionTraits;\n"]
    for e in m.extensions:
        if e["entry"] in emitter.structs:
            out.append(f"template <>\nstruct ExtensionTraits<{e['entry']}> {{\n"
                       f"  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_{e['name']};\n"
                       f'  static constexpr const char* name = "{e["name"]}";\n}};')
    out.append("\n}  // namespace pier::abi")
    return "\n".join(out) + "\n"
