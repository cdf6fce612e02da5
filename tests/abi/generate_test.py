#!/usr/bin/env python3
"""That a newer layout can be merged into the data, and that contradictions are refused."""

import copy
import json
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "abi"))

import emit_header  # noqa: E402
import merge  # noqa: E402
import model  # noqa: E402

DATA = json.loads((ROOT / "abi" / "pjrt.json").read_text(encoding="utf-8"))


def newest_layout():
    """The newest version of the data in the form in which a layout comes, for the next minor."""
    data = model.Model(copy.deepcopy(DATA))
    minor = data.newest
    structs = {}
    for struct in data.live_structs():
        layout = data.struct_at(struct.name, minor)
        structs[struct.name] = {
            "header": data.headers[struct.header]["path"], "size": layout["size"],
            "struct_size_macro": layout["struct_size"],
            "fields": [{"name": f.name, "type": f.type, "offset": f.offset, "size": f.size} for f in layout["fields"]]}
    enums = {name: {"header": data.headers[e["header"]]["path"],
                    "values": [{"name": v[0], "value": v[1]} for v in e["values"] if len(v) == 3]}
             for name, e in data.live_enums().items()}
    signatures = data.live_signatures()
    return {
        "api": {"major": 0, "minor": minor + 1},
        "headers": [h["path"] for h in data.headers.values()],
        "PJRT_Api": {"functions": [{"name": f["name"], "offset": f["offset"],
                                    "signature": f"{f['result']}({f['args']} *)"} for f in data.functions]},
        "structs": structs, "enums": enums,
        "function_types": {n: s for n, (kind, s) in signatures.items() if kind == "function"},
        "callback_types": {n: s for n, (kind, s) in signatures.items() if kind == "callback"},
        "opaque_types": [n for n, row in data.opaque.items() if len(row) == 1],
    }


def merged(layout):
    document, notes = copy.deepcopy(DATA), []
    merge.merge(document, layout, layout["api"]["minor"], notes)
    data = model.Model(document)
    data.check()
    emitter = emit_header.Emitter(data)
    return data, emitter, notes


class Import(unittest.TestCase):
    def test_an_unchanged_layout_only_moves_the_newest_minor(self):
        data, _, notes = merged(newest_layout())
        self.assertEqual(notes, [])
        expected = copy.deepcopy(DATA)
        expected["newest_minor"] += 1
        self.assertEqual(model.dump(data.document), model.dump(expected))

    def test_a_new_function_field_value_and_extension_are_taken_with_their_minor(self):
        layout = newest_layout()
        minor = layout["api"]["minor"]
        functions = layout["PJRT_Api"]["functions"]
        end = functions[-1]["offset"] + 8
        functions.append({"name": "PJRT_New_Thing", "offset": end, "signature": "PJRT_Error *(PJRT_New_Thing_Args *)"})
        layout["structs"]["PJRT_Api"]["fields"].append(
            {"name": "PJRT_New_Thing", "type": "PJRT_New_Thing *", "offset": end, "size": 8})
        layout["structs"]["PJRT_Api"].update(size=end + 8, struct_size_macro=end + 8)
        core = "xla/pjrt/c/pjrt_c_api.h"
        layout["structs"]["PJRT_New_Thing_Args"] = {
            "header": core, "size": 24, "struct_size_macro": 17,
            "fields": [{"name": "struct_size", "type": "size_t", "offset": 0, "size": 8},
                       {"name": "client", "type": "struct PJRT_Client *", "offset": 8, "size": 8},
                       {"name": "is_new", "type": "bool", "offset": 16, "size": 1}]}
        destroy = layout["structs"]["PJRT_Buffer_Destroy_Args"]
        destroy["fields"].append({"name": "when", "type": "int64_t", "offset": 24, "size": 8})
        destroy.update(size=32, struct_size_macro=32)
        layout["enums"]["PJRT_Buffer_Type"]["values"].append({"name": "PJRT_Buffer_Type_NEW", "value": 34})
        layout["enums"]["PJRT_Extension_Type"]["values"].append({"name": "PJRT_Extension_Type_Rma", "value": 25})

        data, emitter, notes = merged(layout)
        self.assertEqual(notes, [])
        self.assertEqual(data.functions[-1], {"name": "PJRT_New_Thing", "offset": end, "result": "PJRT_Error *",
                                              "args": "PJRT_New_Thing_Args", "since": minor})
        self.assertEqual(data.struct_at("PJRT_Buffer_Destroy_Args", minor - 1)["struct_size"], 24)
        self.assertEqual(data.struct_at("PJRT_Buffer_Destroy_Args", minor)["struct_size"], 32)
        self.assertIsNone(data.struct_at("PJRT_New_Thing_Args", minor - 1))
        self.assertEqual(data.extensions[-1]["name"], "Rma")
        header = emitter.header("core")
        self.assertIn("struct PJRT_New_Thing_Args {\n  std::size_t struct_size = 17;", header)
        self.assertIn(f"std::int64_t when = 0;  // 0.{minor}", header)
        self.assertIn(f"PJRT_Buffer_Type_NEW = 34,  // 0.{minor}", header)

    def test_what_is_gone_ends_and_is_reported(self):
        layout = newest_layout()
        before = layout["api"]["minor"] - 1
        del layout["structs"]["PJRT_HostMemoryAllocator_Allocate_Args"]
        del layout["structs"]["PJRT_HostMemoryAllocator_Extension"]
        del layout["callback_types"]["PJRT_HostMemoryAllocator_Allocate"]
        data, emitter, notes = merged(layout)
        self.assertEqual(data.structs["PJRT_HostMemoryAllocator_Extension"].until, before)
        self.assertIsNotNone(data.struct_at("PJRT_HostMemoryAllocator_Extension", before))
        self.assertTrue(any("PJRT_HostMemoryAllocator_Extension" in note for note in notes))
        self.assertNotIn("PJRT_HostMemoryAllocator_Extension", emitter.header("extensions"))

    def refused(self, change, text):
        layout = newest_layout()
        change(layout)
        with self.assertRaises(model.AbiError) as caught:
            merged(layout)
        self.assertIn(text, str(caught.exception))

    def test_a_table_that_moved_is_refused(self):
        def swap(layout):
            functions = layout["PJRT_Api"]["functions"]
            functions[3]["name"], functions[4]["name"] = functions[4]["name"], functions[3]["name"]
        self.refused(swap, "where PJRT_Plugin_Initialize was")

    def test_a_table_that_shrank_is_refused(self):
        self.refused(lambda layout: layout["PJRT_Api"]["functions"].pop(), "has 137 functions")

    def test_an_older_layout_is_refused(self):
        self.refused(lambda layout: layout["api"].update(minor=DATA["newest_minor"]), "cannot be merged")

    def test_offsets_that_no_compiler_makes_are_refused(self):
        def move(layout):
            layout["structs"]["PJRT_Buffer_Destroy_Args"]["fields"][2]["offset"] = 20
        self.refused(move, "a compiler would put it at 16")

    def test_sizes_that_do_not_fit_the_fields_are_refused(self):
        self.refused(lambda layout: layout["structs"]["PJRT_Buffer_Destroy_Args"].update(size=40), "its fields give 24")

    def test_types_that_nothing_declares_are_refused(self):
        def unknown(layout):
            layout["structs"]["PJRT_Buffer_Destroy_Args"]["fields"][2]["type"] = "PJRT_Nothing *"
        self.refused(unknown, "nothing declares PJRT_Nothing")


if __name__ == "__main__":
    unittest.main()
