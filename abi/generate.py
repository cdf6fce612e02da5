#!/usr/bin/env python3
"""Writes the declarations and version tables of src/abi from pjrt.json.

generate.py                                write the files
generate.py --check                        fail if a committed file is not what the data gives
generate.py --import-layout FILE...        merge the layouts of newer minor versions into pjrt.json, then write the files
generate.py --layout MINOR                 print the layout of a minor version as JSON
"""

import argparse
import json
import os
import pathlib
import sys
import tempfile

import emit_facts
import emit_header
import merge
import model

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE / "pjrt.json"
OUT = HERE.parent / "src" / "abi"


def outputs(data):
    emitter = emit_header.Emitter(data)
    files = {}
    for group, name in emit_header.HEADERS.items():
        files[f"{name}.h"] = emitter.header(group)
        files[f"layout_{name}.cpp"] = emitter.layout_source(group)
    files["facts_data.cpp"] = emit_facts.facts_source(emitter)
    files["since.h"] = emit_facts.since_header(emitter)
    files["extension_traits.h"] = emit_facts.traits_header(emitter)
    return files


def write(path, text):
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def check(data, text):
    stale = [] if model.dump(data.document) == text else [str(DATA)]
    for name, wanted in outputs(data).items():
        path = OUT / name
        if not path.is_file() or path.read_text(encoding="utf-8") != wanted:
            stale.append(str(path))
    for path in stale:
        print(f"{path} is not what abi/pjrt.json gives; run abi/generate.py", file=sys.stderr)
    return 1 if stale else 0


def import_layouts(document, paths):
    layouts = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            layouts.append(json.load(file))
    for layout in sorted(layouts, key=lambda l: l["api"]["minor"]):
        minor = layout["api"]["minor"]
        notes = []
        merge.merge(document, layout, minor, notes)
        print(f"0.{minor}: merged" + "".join(f"\n  {note}" for note in notes))


def layout_at(data, minor):
    if not data.oldest <= minor <= data.newest:
        raise model.AbiError(f"0.{minor} is outside of 0.{data.oldest} to 0.{data.newest}")
    structs = {}
    for name in data.structs:
        layout = data.struct_at(name, minor)
        if layout is not None:
            layout["fields"] = [[f.name, f.type, f.offset, f.size] for f in sorted(layout["fields"], key=lambda f: f.offset)]
            structs[name] = layout
    enums = {}
    for name, enum in data.enums.items():
        values = {v[0]: v[1] for v in enum["values"] if model.alive(v[2], v[3] if len(v) > 3 else None, minor)}
        if values and model.alive(enum["since"], enum.get("until"), minor):
            enums[name] = values
    return {"minor": minor, "functions": [[f["name"], f["offset"]] for f in data.functions_at(minor)],
            "structs": structs, "enums": enums}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verb = parser.add_mutually_exclusive_group()
    verb.add_argument("--check", action="store_true")
    verb.add_argument("--import-layout", nargs="+", metavar="FILE")
    verb.add_argument("--layout", type=int, metavar="MINOR")
    options = parser.parse_args()
    try:
        text = DATA.read_text(encoding="utf-8")
        document = json.loads(text)
        if options.import_layout:
            import_layouts(document, options.import_layout)
        data = model.Model(document)
        data.check()
        if options.check:
            return check(data, text)
        if options.layout is not None:
            json.dump(layout_at(data, options.layout), sys.stdout, indent=1)
            print()
            return 0
        files = outputs(data)
        if options.import_layout:
            write(DATA, model.dump(document))
        for name, content in files.items():
            write(OUT / name, content)
        return 0
    except (model.AbiError, KeyError, ValueError, OSError) as error:
        print(f"generate.py: {type(error).__name__}: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
