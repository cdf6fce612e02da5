"""Merges the layout of a newer minor version into the data."""

import model
from model import AbiError, plain_type

EMPTY = {
    "format": 1,
    "about": "The PJRT C ABI, LP64. README.md beside this file says how to read it.",
    "oldest_minor": None, "newest_minor": None,
    "headers": {}, "functions": [], "shifted_tables": [], "extensions": [], "hazards": [],
    "enums": {}, "aliases": {}, "opaque": {}, "signatures": {}, "structs": {},
}


def merge(document, layout, minor, notes):
    """Adds what `layout` has and ends what it no longer has. `notes` receives a line for every change that is not an addition."""
    before = document["newest_minor"]
    if layout["api"]["major"] != 0 or layout["api"]["minor"] != minor:
        raise AbiError(f"the layout says {layout['api']}, expected 0.{minor}")
    if before is not None and minor <= before:
        raise AbiError(f"the data is at 0.{before} already; a layout of 0.{minor} cannot be merged")
    if before is not None and minor != before + 1:
        notes.append(f"0.{before + 1} to 0.{minor - 1} were not seen; what they added is recorded as of 0.{minor}")
    _headers(document, layout)
    _functions(document, layout, minor)
    _structs(document, layout, minor, notes)
    _enums(document, layout, minor, notes)
    _signatures(document, layout, minor, notes)
    _opaque(document, layout, minor)
    _extensions(document, minor)
    if before is None:
        document["oldest_minor"] = minor
    document["newest_minor"] = minor


def _short(path):
    return path.rsplit("/", 1)[-1]


def _headers(document, layout):
    paths = list(layout["headers"]) + [s["header"] for s in layout["structs"].values()]
    for path in paths:
        entry = document["headers"].setdefault(_short(path), {"path": path, "group": "extensions"})
        entry["path"] = path


def _functions(document, layout, minor):
    known = document["functions"]
    rows = layout["PJRT_Api"]["functions"]
    if len(rows) < len(known):
        raise AbiError(f"0.{minor} has {len(rows)} functions, 0.{document['newest_minor']} has {len(known)}")
    for old, new in zip(known, rows):
        if (old["name"], old["offset"]) != (new["name"], new["offset"]):
            raise AbiError(f"0.{minor} has {new['name']} at {new['offset']}, where {old['name']} was: "
                           "a table that moved belongs into shifted_tables, by hand")
    for new in rows[len(known):]:
        result, _, rest = new["signature"].partition("(")
        args = plain_type(rest.rstrip(")")).removesuffix(" *")
        known.append({"name": new["name"], "offset": new["offset"], "result": plain_type(result), "args": args,
                      "since": minor})


def _structs(document, layout, minor, notes):
    before = document["newest_minor"]
    structs = document["structs"]
    order = []
    for name, new in layout["structs"].items():
        fields = [[f["name"], plain_type(f["type"]), f["offset"], f["size"]] for f in new["fields"]]
        if name == "PJRT_Api":
            fields = [f for f in fields if f[2] < 40]
        check = new.get("plugin_check") or {}
        size = [new["struct_size_macro"], new["size"], check.get("min_struct_size")]
        order.append(name)
        if name not in structs:
            structs[name] = {"header": _short(new["header"]), "since": minor, "sizes": [[minor] + size],
                             "fields": [f + [minor] for f in fields]}
            continue
        old = structs[name]
        if "until" in old:
            raise AbiError(f"{name} ended with 0.{old['until']} and is back in 0.{minor}: record it by hand")
        old["header"] = _short(new["header"])
        last = old["sizes"][-1]
        if size[2] is None:  # not known is not the same as not checked
            size[2] = last[3]
        if last[1:] != size:
            old["sizes"].append([minor] + size)
        _fields(name, old, fields, minor, before, notes)
    for name, old in structs.items():
        if name not in layout["structs"] and "until" not in old:
            old["until"] = before
            notes.append(f"{name}: gone after 0.{before}")
    gone = [n for n in structs if n not in layout["structs"]]
    document["structs"] = {n: structs[n] for n in order + gone}


def _fields(name, old, fields, minor, before, notes):
    wanted = {tuple(f) for f in fields}
    have = set()
    for row in old["fields"]:
        if len(row) > 5:
            continue
        key = tuple(row[:4])
        if key in wanted:
            have.add(key)
        else:
            row.append(before)
            notes.append(f"{name}.{row[0]}: {row[1]} at {row[2]} ended with 0.{before}")
    for f in fields:
        if tuple(f) not in have:
            old["fields"].append(f + [minor])
    old["fields"].sort(key=lambda row: row[2])  # stable: within a union and a slot, the older first


def _enums(document, layout, minor, notes):
    before = document["newest_minor"]
    enums = document["enums"]
    for name, new in layout["enums"].items():
        enum = enums.setdefault(name, {"header": _short(new["header"]), "since": minor, "values": []})
        enum["header"] = _short(new["header"])
        wanted = {(v["name"], v["value"]) for v in new["values"]}
        have = set()
        for row in enum["values"]:
            if len(row) > 3:
                continue
            if (row[0], row[1]) in wanted:
                have.add((row[0], row[1]))
            else:
                row.append(before)
                notes.append(f"{row[0]} = {row[1]}: ended with 0.{before}")
        enum["values"] += [[v["name"], v["value"], minor] for v in new["values"] if (v["name"], v["value"]) not in have]
    for name, enum in enums.items():
        if name not in layout["enums"] and "until" not in enum:
            enum["until"] = before
            notes.append(f"{name}: gone after 0.{before}")


def _signatures(document, layout, minor, notes):
    before = document["newest_minor"]
    core = {f["name"] for f in document["functions"]}
    seen = set()
    for kind, table in (("function", layout["function_types"]), ("callback", layout["callback_types"])):
        for name, signature in table.items():
            if name in core:
                continue  # the functions of the table stand in `functions`
            seen.add(name)
            signature = plain_type(signature)
            entry = document["signatures"].setdefault(name, {"kind": kind, "rows": []})
            last = entry["rows"][-1] if entry["rows"] else None
            if last is not None and last[0] == signature and len(last) == 2:
                continue
            if last is not None and len(last) == 2:
                last.append(before)
                notes.append(f"{name}: signature changed in 0.{minor}")
            entry["rows"].append([signature, minor])
    for name, entry in document["signatures"].items():
        if name not in seen and len(entry["rows"][-1]) == 2:
            entry["rows"][-1].append(before)
            notes.append(f"{name}: gone after 0.{before}")


def _opaque(document, layout, minor):
    before = document["newest_minor"]
    for name in layout["opaque_types"]:
        document["opaque"].setdefault(name, [minor])
    for name, row in document["opaque"].items():
        if name not in layout["opaque_types"] and len(row) == 1:
            row.append(before)


def _extensions(document, minor):
    prefix = "PJRT_Extension_Type_"
    known = {e["value"] for e in document["extensions"]}
    enum = document["enums"].get("PJRT_Extension_Type")
    for row in enum["values"] if enum else []:
        if row[1] in known:
            continue
        name = row[0].removeprefix(prefix)
        entry = f"PJRT_{name}_Extension"
        document["extensions"].append({"name": name, "value": row[1], "since": row[2],
                                       "entry": entry if entry in document["structs"] else None, "versions": []})
    for e in document["extensions"]:
        entry = f"PJRT_{e['name']}_Extension"
        if e["entry"] is None and entry in document["structs"]:
            e["entry"] = entry
