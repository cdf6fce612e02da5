"""Writes the declarations: one header per group of pjrt.json, and a source that asserts every size and offset."""

import re

from model import AbiError, PRIMITIVES, plain_type

HEADERS = {"core": "pjrt", "extensions": "extensions", "tpu": "tpu", "ffi": "ffi", "profiler": "profiler"}
ABOUT = {
    "core": "The PJRT table, its argument structs and enums.",
    "extensions": "The extensions that any platform may offer.",
    "tpu": "The extensions of TPU plugins and of runs over several slices and hosts.",
    "ffi": "The foreign function interface: what custom call handlers are given.",
    "profiler": "The profiler table that the Profiler extension points to.",
}
BANNER = "// Written by abi/generate.py from abi/pjrt.json; edit that.\n"
STD = {"size_t", "int32_t", "int64_t", "uint8_t", "uint32_t", "uint64_t", "intptr_t", "uintptr_t"}


def cpp_type(text):
    """A C type in this project's spelling. C++ types of the plugin's own code, behind pointers, become void."""
    text = plain_type(text)
    text = re.sub(r"\bxla::\w+(?= \*)", "void", text)
    text = re.sub(r"\b(" + "|".join(sorted(STD)) + r")\b", r"std::\1", text)
    text = re.sub(r"^(\w+) \((?!\*)", r"\1(", text)
    return text.replace(" *", "*").replace("*(*", "* (*")


def wrapped(line, indent):
    """A line of at most 130 characters, else broken after a comma between parameters."""
    if len(line) <= 130:
        return line
    head, tail = line[:128].rsplit(", ", 1)[0], None
    if head == line[:128]:  # one long parameter
        head, found, tail = line.partition(")(")
        return f"{head})(\n{indent}    {tail}" if found else line
    tail = line[len(head) + 2:]
    return head + ",\n" + wrapped(indent + "    " + tail, indent)


class Emitter:
    def __init__(self, model):
        self.model = model
        self.structs = {s.name: s for s in model.live_structs()}
        self.enums = model.live_enums()
        self.signatures = model.live_signatures()
        self.opaque = set(model.live_opaque())
        self.used_as_type = self._signatures_used_as_types()
        self.home = self._homes()
        self._check_names()

    # Which functions need a type name: those whose parameters are not one argument struct.
    def _signatures_used_as_types(self):
        used = {}
        for name, (kind, signature) in self.signatures.items():
            if kind == "callback" or not re.search(r"\(\w+_Args \*\)$", signature):
                used[name] = (kind, signature)
        return used

    def _names_in(self, text):
        return [n for n in re.findall(r"[A-Za-z_]\w*", plain_type(text)) if n not in PRIMITIVES and n != "const"]

    def _homes(self):
        home = {}
        for name, s in self.structs.items():
            home[name] = self.model.group(s.header)
        for name, e in self.enums.items():
            home[name] = self.model.group(e["header"])
        for alias in self.model.aliases:
            home[alias] = "ffi" if alias.startswith("XLA_FFI") else "core"
        # Types without a header of their own live with the first group that uses them.
        for group in HEADERS:
            for s in self.structs.values():
                if home[s.name] != group:
                    continue
                for f in s.now():
                    for name in self._names_in(self._signature_text(f.type)):
                        home.setdefault(name, group)
        changed = True
        while changed:
            changed = False
            for name, (_, signature) in self.used_as_type.items():
                for inner in self._names_in(signature):
                    if name in home and inner not in home:
                        home[inner] = home[name]
                        changed = True
        return home

    def _signature_text(self, type_text):
        name = plain_type(type_text).removesuffix(" *")
        if name in self.signatures and name not in self.used_as_type:
            return self.signatures[name][1]
        return type_text

    def _check_names(self):
        types = set(self.structs) | set(self.enums) | self.opaque | set(self.used_as_type)
        members = {f["name"] for f in self.model.functions}
        for s in self.structs.values():
            members |= {f.name for f in s.now()}
        clash = members & types
        if clash:
            raise AbiError(f"members named like types: {sorted(clash)}")
        for s in self.structs.values():
            for f in s.now():
                for name in self._names_in(self._signature_text(f.type)):
                    known = (name in types or name in self.model.aliases or name == "xla"
                             or re.search(rf"xla::{name}\b", f.type))
                    if not known:
                        raise AbiError(f"{s.name}.{f.name}: nothing declares {name}")

    # Declarations.

    def declare(self, type_text, name):
        """(declaration without initialiser, initialiser)."""
        text = plain_type(type_text)
        array = re.fullmatch(r"(.*)\[(\d+)\]", text)
        if array:
            return f"{cpp_type(array.group(1))} {name}[{array.group(2)}]", " = {}"
        if "(*)" in text:
            return cpp_type(text).replace("(*)", f"(*{name})", 1), " = nullptr"
        target = text.removesuffix(" *")
        if text.endswith(" *") and target in self.signatures and target not in self.used_as_type:
            result, _, params = self.signatures[target][1].partition("(")
            return f"{cpp_type(result)} (*{name})({cpp_type(params)}", " = nullptr"
        if text.endswith("*") or text in self.signatures:
            return f"{cpp_type(text)} {name}", " = nullptr"
        if text == "bool":
            return f"bool {name}", " = false"
        if text in PRIMITIVES or text in self.model.aliases:
            return f"{cpp_type(text)} {name}", " = 0"
        return f"{cpp_type(text)} {name}", "{}"

    def newest_size(self, struct):
        row = struct.sizes_at(self.model.newest)
        if row[1] is not None:
            return row[1]
        if struct.name == "PJRT_Api":
            raise AbiError("PJRT_Api has no STRUCT_SIZE")
        return max(f.end for f in struct.now())

    def initialiser(self, struct, field, default):
        if field.name == "struct_size" and field.offset == 0:
            return f" = {self.newest_size(struct)}"
        if field.type == "PJRT_Extension_Base" and field.offset == 0:
            entry = [e for e in self.model.extensions if e["entry"] == struct.name]
            if entry:
                return (f" = {{.struct_size = {self.newest_size(struct)}, "
                        f".type = PJRT_Extension_Type_{entry[0]['name']}}}")
            return f" = {{.struct_size = {self.newest_size(struct)}}}"
        return default

    def field_lines(self, struct, fields):
        lines = []
        fields = sorted(fields, key=lambda f: f.offset)
        index = 0
        while index < len(fields):
            same = [f for f in fields if f.offset == fields[index].offset]
            if len(same) == 1:
                lines.append(self.field_line(struct, same[0], "  ", True))
            else:
                # The first member that is as large as the union clears all of it.
                largest = max(f.size for f in same)
                first = next(f for f in same if f.size == largest)
                lines.append("  union {")
                lines += [self.field_line(struct, f, "    ", f is first) for f in same]
                lines.append("  };")
            index += len(same)
        return lines

    def field_line(self, struct, field, indent, with_default):
        text, default = self.declare(field.type, field.name)
        default = self.initialiser(struct, field, default) if with_default else ""
        since = struct.slot_since(field)
        came = f"  // 0.{since}" if since > max(struct.since, self.model.oldest) and field.name != "base" else ""
        return wrapped(f"{indent}{text}{default};{came}", indent)

    def struct_text(self, struct):
        lines = [f"struct {struct.name} {{"]
        lines += self.field_lines(struct, struct.now())
        if struct.name == "PJRT_Api":
            for f in self.model.functions:
                came = f"  // 0.{f['since']}" if f["since"] > self.model.oldest else ""
                lines.append(wrapped(f"  {cpp_type(f['result'])} (*{f['name']})({f['args']}*) = nullptr;{came}", "  "))
        lines.append("};")
        return "\n".join(lines)

    def enum_text(self, name, enum):
        # A fixed type makes every value a newer plugin may send a valid one to hold.
        lines = [f"enum {name} : int {{"]
        for row in sorted(enum["values"], key=lambda row: row[1]):
            if len(row) == 3:
                came = f"  // 0.{row[2]}" if row[2] > max(enum["since"], self.model.oldest) else ""
                lines.append(f"  {row[0]} = {row[1]},{came}")
        lines.append("};")
        return "\n".join(lines)

    def signature_order(self, names):
        done, out = set(), []

        def visit(name):
            if name in done:
                return
            done.add(name)
            for inner in self._names_in(self.used_as_type[name][1]):
                if inner in names and inner != name:
                    visit(inner)
            out.append(name)

        for name in sorted(names):
            visit(name)
        return out

    def header(self, group):
        m = self.model
        structs = [s for s in self.structs.values() if self.home[s.name] == group]
        enums = [(n, e) for n, e in self.enums.items() if self.home[n] == group]
        callbacks = [n for n in self.used_as_type if self.home.get(n) == group]
        used = set()
        for s in structs:
            for f in s.now():
                used.update(self._names_in(self._signature_text(f.type)))
        for name in callbacks:
            used.update(self._names_in(self.used_as_type[name][1]))
        if group == "core":
            for f in m.functions:
                used.add(f["args"])
                used.update(self._names_in(f["result"]))
        forward = sorted({n for n in used if n in self.structs or n in self.opaque} | {s.name for s in structs})
        needs = set()
        for s in structs:
            for f in s.now():
                base = re.sub(r"\[\d+\]$", "", f.type)
                by_value = base in self.structs or base in self.enums
                if by_value and self.home[base] != group:
                    needs.add(self.home[base])
        for n in used:
            if (n in self.enums or n in self.used_as_type) and self.home[n] != group:
                needs.add(self.home[n])
        includes = "".join(f'#include "abi/{HEADERS[g]}.h"\n' for g in HEADERS if g in needs)
        out = ["#pragma once\n", BANNER + f"// {ABOUT[group]}\n// PJRT 0.{m.newest}; a number behind a member is the minor version that brought it, where "
               f"that came after its struct and\n// after 0.{m.oldest}.\n",
               "#include <cstddef>\n#include <cstdint>\n" + ("\n" + includes if includes else ""), "namespace pier::abi {\n"]
        if group == "core":
            out.append(f"inline constexpr int api_major = 0;\ninline constexpr int api_minor = {m.newest};\n"
                       f"inline constexpr int oldest_minor = {m.oldest};\n")
        for alias, target in m.aliases.items():
            if self.home[alias] == group:
                out.append(f"using {alias} = {cpp_type(target)};\n")
        for name, enum in enums:
            out.append(self.enum_text(name, enum) + "\n")
        out.append("\n".join(f"struct {n};" for n in forward) + "\n")
        for name in self.signature_order(set(callbacks)):
            kind, signature = self.used_as_type[name]
            out.append(wrapped(f"using {name} = {cpp_type(signature)};", ""))
        if callbacks:
            out.append("")
        for s in structs:
            out.append(self.struct_text(s) + "\n")
        if group == "core":
            out.append("using Api = PJRT_Api;\n")
        out.append("}  // namespace pier::abi")
        return "\n".join(out) + "\n"

    def layout_source(self, group):
        m = self.model
        lines = [BANNER + "// What the compiler makes of the declarations must be what plugins were built with.",
                 f'#include "abi/{HEADERS[group]}.h"', "", "namespace pier::abi {", ""]
        for s in self.structs.values():
            if self.home[s.name] != group:
                continue
            layout = m.struct_at(s.name, m.newest)
            lines.append(f"static_assert(sizeof({s.name}) == {layout['size']});")
            for f in layout["fields"]:
                lines.append(f"static_assert(offsetof({s.name}, {f.name}) == {f.offset});")
        lines += ["", "}  // namespace pier::abi"]
        return "\n".join(lines) + "\n"
