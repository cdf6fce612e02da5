#!/usr/bin/env python3
"""Compares abi/pjrt.json with upstream headers, through a compiler: compare_upstream.py CACHE COMPILER

For every header: each size, STRUCT_SIZE, offset and enum value that the data has for the header's minor version must be what
the compiler makes of the header, and each struct, enum value and table function of the header must be in the data. The
declarations of src/abi are included beside it and must agree wherever nothing changed since.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "abi"))

import model  # noqa: E402


class Source:
    """The checks for one header, as C++ that compiles if all of them hold."""

    def __init__(self, data, minor, include, text):
        self.data, self.minor, self.include, self.text = data, minor, include, text
        self.name = include.rsplit("/", 1)[-1]
        self.lines, self.count, self.missing = [], 0, []

    def check(self, condition):
        self.lines.append(f"static_assert({condition});")
        self.count += 1

    def structs(self):
        seen = set()
        for name, struct in self.data.structs.items():
            if struct.header != self.name or not re.search(rf"\b{name}\b", self.text):
                continue
            layout = self.data.struct_at(name, self.minor)
            if layout is None:
                continue
            seen.add(name)
            self.check(f"sizeof(::{name}) == {layout['size']}")
            for field in layout["fields"]:
                self.check(f"offsetof(::{name}, {field.name}) == {field.offset}")
                self.check(f"sizeof(::{name}::{field.name}) == {field.size}")
            if re.search(rf"STRUCT_TRAITS\(\s*{name},", self.text):
                size = layout["struct_size"]
                end = max(field.end for field in layout["fields"])
                self.check(f"static_cast<int>(::{name}_STRUCT_SIZE) " + (f"== {size}" if size else f"<= {end}"))
            self.beside(name, struct, layout)
        for name in self.defined_structs():
            if name not in seen:
                self.missing.append(f"struct {name}")

    # Our declaration of the same struct: what both have stands in the same place.
    def beside(self, name, struct, layout):
        if struct.until is not None:
            return
        newest = {(f.name, f.offset) for f in self.data.struct_at(name, self.data.newest)["fields"]}
        for field in layout["fields"]:
            if (field.name, field.offset) in newest:
                self.check(f"offsetof(pier::abi::{name}, {field.name}) == offsetof(::{name}, {field.name})")
        if struct.sizes[-1][0] <= self.minor:
            self.check(f"sizeof(pier::abi::{name}) == sizeof(::{name})")

    def defined_structs(self):
        text = re.sub(r"//[^\n]*", "", self.text)
        return set(re.findall(r"\bstruct (\w+) \{", text)) | {
            tag for tag in re.findall(r"typedef struct \{[^{}]*\} (\w+);", text)}

    def enums(self):
        known = {}
        for name, enum in self.data.enums.items():
            for row in enum["values"]:
                if model.alive(row[2], row[3] if len(row) > 3 else None, self.minor):
                    known[row[0]] = (row[1], name, len(row) == 3 and enum.get("until") is None)
        text = re.sub(r"//[^\n]*", "", self.text)
        text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
        for body in re.findall(r"\benum\b[^{};]*\{([^}]*)\}", text):
            for value in re.findall(r"(\w+)\s*(?:=[^,]*)?(?:,|$)", body.strip()):
                if value.endswith("_STRUCT_SIZE"):
                    continue
                if value not in known:
                    self.missing.append(f"enum value {value}")
                    continue
                number, enum, ours = known[value]
                self.check(f"static_cast<int>(::{enum}::{value}) == {number}")
                if ours:
                    self.check(f"static_cast<int>(pier::abi::{value}) == {number}")

    def table(self):
        if self.name != "pjrt_c_api.h":
            return
        listed = re.findall(r"_PJRT_API_STRUCT_FIELD\(\s*(\w+)\s*\);", self.text)
        ours = [f["name"] for f in self.data.functions_at(self.minor)]
        if listed != ours:
            self.missing.append(f"the table's functions differ: {sorted(set(listed) ^ set(ours)) or 'order'}")

    def write(self):
        self.structs()
        self.enums()
        self.table()
        ours = "".join(f'#include "abi/{h}.h"\n' for h in ("pjrt", "extensions", "tpu", "ffi", "profiler"))
        return f'#include <cstddef>\n#include "{self.include}"\n{ours}' + "\n".join(self.lines) + "\n"


def compile_source(compiler, text, include_dir):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "check.cpp"
        path.write_text(text, encoding="utf-8")
        done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", f"-I{include_dir}", f"-I{ROOT / 'src'}", str(path)],
                              capture_output=True, text=True, check=False)
        return done.stderr if done.returncode != 0 else ""


def check_header(data, compiler, include_dir, path, minors):
    """The number of checks that hold at one of the minors, and nothing; or 0 and what differs at the first of them."""
    first = None
    for minor in minors:
        source = Source(data, minor, str(path.relative_to(include_dir)), path.read_text(encoding="utf-8"))
        errors = compile_source(compiler, source.write(), include_dir)
        faults = [f"{path.name}: not in the data: {entity}" for entity in source.missing]
        if errors:
            faults.append(f"{path.name}:\n{errors}")
        if not faults:
            return source.count, []
        first = first or faults
    return 0, first


def compare(data, compiler, include_dir, least_headers, earlier):
    """earlier: the headers were taken while their minor version was being worked on, before its last change. Then each
    header as a whole must be that of the minor or of the one before; the core header is exact in any case."""
    core = next(include_dir.rglob("pjrt_c_api.h"))
    minor = int(re.search(r"#define PJRT_API_MINOR (\d+)", core.read_text(encoding="utf-8")).group(1))
    total, faults, headers = 0, [], 0
    for path in sorted(include_dir.rglob("*.h")):
        if path.name in data.headers:
            minors = [minor, minor - 1] if earlier and path != core else [minor]
            count, found = check_header(data, compiler, include_dir, path, minors)
            headers, total, faults = headers + 1, total + count, faults + found
    if headers < least_headers:
        faults.append(f"only {headers} headers were found, expected {least_headers}")
    print(f"0.{minor}: {total} checks over {headers} headers" + (f", {len(faults)} faults" if faults else ", all hold"))
    for fault in faults:
        print(fault)
    return not faults


def main():
    cache, compiler = pathlib.Path(sys.argv[1]) / "upstream", sys.argv[2]
    data = model.load(ROOT / "abi" / "pjrt.json")
    good = compare(data, compiler, cache / "xla-cpu-pjrt" / "xla_plugins" / "xla_cpu_pjrt" / "include", 1, False)
    good = compare(data, compiler, cache / "pypjrt" / "pypjrt-0.1.1" / "vendor", 24, True) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
