"""The PJRT C ABI as data: reading, checking and writing pjrt.json, and the layout it gives for any minor version."""

import json
import re

GROUPS = ("core", "extensions", "tpu", "ffi", "profiler")
POINTER = 8

PRIMITIVES = {
    "void": (0, 1), "bool": (1, 1), "char": (1, 1), "uint8_t": (1, 1), "int": (4, 4), "int32_t": (4, 4),
    "uint32_t": (4, 4), "float": (4, 4), "int64_t": (8, 8), "uint64_t": (8, 8), "size_t": (8, 8),
    "intptr_t": (8, 8), "uintptr_t": (8, 8), "double": (8, 8),
}


class AbiError(Exception):
    """The data contradicts itself, or a newer layout contradicts the data."""


def load(path):
    with open(path, encoding="utf-8") as file:
        return Model(json.load(file))


def plain_type(text):
    """Without the word struct, which C wants and C++ does not, and with one spelling of blanks."""
    return re.sub(r"\s+", " ", re.sub(r"\bstruct ", "", text)).strip()


def alive(row_since, row_until, minor):
    return row_since <= minor and (row_until is None or minor <= row_until)


class Field:
    """One member of a struct, as it lay from `since` to `until` (None: still does)."""

    __slots__ = ("name", "type", "offset", "size", "since", "until")

    def __init__(self, row):
        self.name, self.type, self.offset, self.size, self.since = row[:5]
        self.until = row[5] if len(row) > 5 else None

    def row(self):
        out = [self.name, self.type, self.offset, self.size, self.since]
        return out if self.until is None else out + [self.until]

    @property
    def end(self):
        return self.offset + self.size


class Struct:
    __slots__ = ("name", "header", "since", "until", "sizes", "fields")

    def __init__(self, name, data):
        self.name = name
        self.header = data["header"]
        self.since = data["since"]
        self.until = data.get("until")
        self.sizes = data["sizes"]  # [from minor, STRUCT_SIZE or None, sizeof, minimum that plugins check or None]
        self.fields = [Field(row) for row in data["fields"]]

    def at(self, minor):
        return [f for f in self.fields if alive(f.since, f.until, minor)]

    def sizes_at(self, minor):
        found = None
        for row in self.sizes:
            if row[0] <= minor:
                found = row
        return found

    def slot_since(self, field, renamed=True):
        """The minor since which these bytes hold this field, however its type was spelled and, if renamed, whatever its
        name was."""
        since = field.since
        for older in sorted((f for f in self.fields if f.until is not None), key=lambda f: -f.since):
            same = (older.offset, older.size) == (field.offset, field.size) and (renamed or older.name == field.name)
            if same and older.until == since - 1:
                since = older.since
        return since

    def now(self):
        return [f for f in self.fields if f.until is None] if self.until is None else []


class Model:
    def __init__(self, document):
        self.document = document
        self.oldest = document["oldest_minor"]
        self.newest = document["newest_minor"]
        self.headers = document["headers"]
        self.structs = {name: Struct(name, data) for name, data in document["structs"].items()}
        self.functions = document["functions"]
        self.enums = document["enums"]
        self.signatures = document["signatures"]
        self.aliases = document["aliases"]
        self.opaque = document["opaque"]
        self.extensions = document["extensions"]

    # What is alive in the newest minor, which is what the generated headers declare.

    def live_structs(self):
        return [s for s in self.structs.values() if s.until is None]

    def live_enums(self):
        return {n: e for n, e in self.enums.items() if e.get("until") is None}

    def live_signatures(self):
        """Name to (kind, signature); kind is callback (already a pointer) or function."""
        out = {}
        for name, entry in self.signatures.items():
            row = entry["rows"][-1]
            if len(row) == 2:
                out[name] = (entry["kind"], row[0])
        return out

    def live_opaque(self):
        return [name for name, row in self.opaque.items() if len(row) == 1 and name not in self.structs]

    def group(self, header):
        return self.headers[header]["group"]

    # What a minor version looked like.

    def functions_at(self, minor):
        return [f for f in self.functions if f["since"] <= minor]

    def struct_at(self, name, minor):
        """Fields and sizes of a struct in the last build of a minor, or None where it did not exist."""
        struct = self.structs[name]
        if not alive(struct.since if struct.since > self.oldest else self.oldest, struct.until, minor):
            return None
        fields = struct.at(minor)
        if name == "PJRT_Api":
            for f in self.functions_at(minor):
                fields.append(Field([f["name"], f["name"] + " *", f["offset"], POINTER, f["since"]]))
        _, struct_size, size, minimum = struct.sizes_at(minor)
        return {"fields": fields, "struct_size": struct_size, "size": size, "minimum": minimum}

    def shifted_table(self, build):
        """The table of one of the builds in `shifted_tables`: [(name, offset)] of its functions."""
        out = []
        for f in self.functions_at(build["minor"]):
            moved = f["offset"] + (POINTER if f["offset"] >= build["at"] else 0)
            out.append((f["name"], moved))
        out.append((build["inserts"], build["at"]))
        return sorted(out, key=lambda pair: pair[1])

    # Types.

    def size_of(self, type_text, minor=None):
        """(size, alignment) of a type as it is in a minor (None: the newest)."""
        minor = self.newest if minor is None else minor
        text = plain_type(type_text)
        array = re.fullmatch(r"(.*)\[(\d+)\]", text)
        if array:
            size, align = self.size_of(array.group(1), minor)
            return size * int(array.group(2)), align
        if text.endswith("*") or "(*)" in text:
            return POINTER, POINTER
        text = re.sub(r"^const ", "", text)
        if text in PRIMITIVES:
            return PRIMITIVES[text]
        if text in self.aliases:
            return self.size_of(self.aliases[text], minor)
        if text in self.enums:
            return 4, 4
        if text in self.signatures and self.signatures[text]["kind"] == "callback":
            return POINTER, POINTER
        if text in self.structs:
            layout = self.struct_at(text, minor)
            if layout is None:
                raise AbiError(f"{text} is embedded by value at 0.{minor}, where it does not exist")
            return layout["size"], max((self.size_of(f.type, minor)[1] for f in layout["fields"]), default=1)
        raise AbiError(f"unknown type: {type_text}")

    # Checks. Everything that generated code relies on is checked here, so that a slip in the data never reaches it.

    def check(self):
        for name in self.structs:
            for minor in sorted(self._turning_points(name)):
                self._check_layout(name, minor)
        self._check_functions()
        for name, enum in self.enums.items():
            current = [v for v in enum["values"] if len(v) == 3]
            if len({v[1] for v in current}) != len(current):
                raise AbiError(f"{name}: two names for one number")
        for e in self.extensions:
            if e["entry"] is not None and e["entry"] not in self.structs:
                raise AbiError(f"extension {e['name']}: no struct {e['entry']}")
        for header, entry in self.headers.items():
            if entry["group"] not in GROUPS:
                raise AbiError(f"{header}: unknown group {entry['group']}")

    def _turning_points(self, name):
        """The minors at which the struct, or one it embeds, was not what it was before."""
        struct = self.structs[name]
        points = {self.oldest} | {row[0] for row in struct.sizes}
        for f in struct.fields:
            points |= {f.since, f.since if f.until is None else f.until + 1}
            embedded = re.sub(r"\[\d+\]$", "", f.type)
            if embedded in self.structs and embedded != name:
                points |= self._turning_points(embedded)
        if name == "PJRT_Api":
            points |= {f["since"] for f in self.functions}
        return {p for p in points if self.oldest <= p <= self.newest}

    def _check_layout(self, name, minor):
        layout = self.struct_at(name, minor)
        if layout is None:
            return
        end, align = 0, 1
        previous = None
        for f in sorted(layout["fields"], key=lambda f: f.offset):
            size, field_align = self.size_of(f.type, minor) if name != "PJRT_Api" or f.offset < 40 else (POINTER, POINTER)
            if size != f.size:
                raise AbiError(f"{name}.{f.name} at 0.{minor}: {f.size} bytes recorded, {f.type} has {size}")
            align = max(align, field_align)
            natural = -(-end // field_align) * field_align
            overlaps = previous is not None and f.offset == previous.offset
            if not overlaps and f.offset != natural:
                raise AbiError(f"{name}.{f.name} at 0.{minor}: offset {f.offset}, a compiler would put it at {natural}")
            end = max(end, f.end)
            previous = f
        whole = -(-end // align) * align
        if whole != layout["size"]:
            raise AbiError(f"{name} at 0.{minor}: size {layout['size']} recorded, its fields give {whole}")
        if layout["struct_size"] is not None and layout["struct_size"] > layout["size"]:
            raise AbiError(f"{name} at 0.{minor}: STRUCT_SIZE {layout['struct_size']} is past its size {layout['size']}")

    def _check_functions(self):
        offset = 40
        for f in self.functions:
            if f["offset"] != offset:
                raise AbiError(f"{f['name']}: offset {f['offset']}, expected {offset}")
            if f["args"] not in self.structs:
                raise AbiError(f"{f['name']}: no argument struct {f['args']}")
            offset += POINTER
        order = [max(f["since"], self.oldest) for f in self.functions]
        if order != sorted(order):
            raise AbiError("functions were not appended in the order of their minor versions")


# Writing. One entity a line, so that a new minor shows as the lines it adds.

def _line(value):
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def _list(rows, indent):
    if not rows:
        return "[]"
    pad = " " * indent
    return "[\n" + ",\n".join(pad + " " + _line(row) for row in rows) + "\n" + pad + "]"


def _map(entries, indent, render):
    if not entries:
        return "{}"
    pad = " " * indent
    body = ",\n".join(f"{pad} {_line(key)}: {render(value, indent + 1)}" for key, value in entries.items())
    return "{\n" + body + "\n" + pad + "}"


def _record(record, indent, long_lists):
    pad = " " * indent
    short = {k: v for k, v in record.items() if k not in long_lists}
    text = _line(short)[:-1]
    for key in long_lists:
        if key in record:
            text += f", {_line(key)}: {_list(record[key], indent)}"
    return text + "}"


def dump(document):
    one_line = lambda value, indent: _line(value)
    parts = []
    for key, value in document.items():
        if key in ("functions", "extensions", "hazards", "shifted_tables"):
            text = _list(value, 1)
        elif key == "structs":
            text = _map(value, 1, lambda v, i: _record(v, i, ["fields"]))
        elif key == "enums":
            text = _map(value, 1, lambda v, i: _record(v, i, ["values"]))
        elif isinstance(value, dict):
            text = _map(value, 1, one_line)
        else:
            text = _line(value)
        parts.append(f" {_line(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"
