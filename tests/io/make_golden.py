"""Makes the files in golden/ with the libraries that define the formats, and checks the files that pier wrote with them.

Run as `python make_golden.py` after `pip install numpy==2.4.6 ml_dtypes==0.6.0 safetensors==0.8.0` (Python 3.11 or later);
`python make_golden.py --check FOLDER` reads pier's own output instead, which `PIER_KEEP_OUTPUT=FOLDER io_test` leaves there:
from_pier*, which golden/ keeps a copy of, and one .npy for each type. Element i of every array has the bits (37 * i + 11) % 2**bits, repeated in each byte of wide elements.
"""
import json
import pathlib
import struct
import sys
import zipfile

import ml_dtypes
import numpy as np
import safetensors
import safetensors.numpy

GOLDEN = pathlib.Path(__file__).parent / "golden"
NUMPY = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
         "complex64", "complex128"]
SMALL = {"bfloat16": 16, "float8_e5m2": 8, "float8_e4m3fn": 8, "float8_e4m3b11fnuz": 8, "float8_e5m2fnuz": 8,
         "float8_e4m3fnuz": 8, "float8_e4m3": 8, "float8_e3m4": 8, "float8_e8m0fnu": 8, "int4": 4, "uint4": 4, "int2": 2,
         "uint2": 2, "int1": 1, "uint1": 1, "float4_e2m1fn": 4, "float6_e2m3fn": 6, "float6_e3m2fn": 6}
SHAPES = [(), (1,), (5,), (0,), (2, 3), (2, 0, 3), (12345, 0), (1, 2, 1, 2), (2, 1, 2, 1, 2)]
# Names of the types in safetensors, as its Rust enumeration spells them.
SAFETENSORS = {"bool": "BOOL", "uint8": "U8", "int8": "I8", "float8_e5m2": "F8_E5M2", "float8_e4m3fn": "F8_E4M3",
               "float8_e8m0fnu": "F8_E8M0", "float8_e4m3fnuz": "F8_E4M3FNUZ", "float8_e5m2fnuz": "F8_E5M2FNUZ",
               "int16": "I16", "uint16": "U16", "float16": "F16", "bfloat16": "BF16", "int32": "I32", "uint32": "U32",
               "float32": "F32", "complex64": "C64", "float64": "F64", "int64": "I64", "uint64": "U64",
               "float4_e2m1fn": "F4", "float6_e2m3fn": "F6_E2M3", "float6_e3m2fn": "F6_E3M2"}


def dtype(name):
    return np.dtype(getattr(ml_dtypes, name)) if name in SMALL else np.dtype(name)


def bits(name):
    return 1 if name == "bool" else SMALL.get(name, dtype(name).itemsize * 8)


def pattern(name, shape):
    width = dtype(name).itemsize
    mask = (1 << min(bits(name), 8)) - 1
    raw = bytes((37 * i + 11) & mask for i in range(int(np.prod(shape, dtype=int))) for _ in range(width))
    return np.frombuffer(raw, dtype(name)).reshape(shape)


def packed(array, width):
    """Elements of `width` bits, one after the other from the lowest bit of the first byte up."""
    number = 0
    for i, value in enumerate(array.view(np.uint8).ravel().tolist()):
        number |= value << (i * width)
    return number.to_bytes(array.size * width // 8, "little")


def tensor_bytes(name, array):
    return packed(array, bits(name)) if 1 < bits(name) < 8 else array.tobytes()


def make():
    GOLDEN.mkdir(exist_ok=True)
    for name in NUMPY + list(SMALL):
        np.save(GOLDEN / f"{name}.npy", pattern(name, (2, 3)))
    for shape in SHAPES:
        np.save(GOLDEN / f"shape_{'x'.join(map(str, shape))}.npy", pattern("float32", shape))
    np.save(GOLDEN / "fortran.npy", np.asfortranarray(pattern("int16", (2, 3, 4))))
    for name in ["int16", "uint32", "float64", "complex64", "complex128", "bfloat16"]:
        array = pattern(name, (3, 2)).view(np.uint8).copy()
        array[:, ::2] += 1  # bytes of an element must differ for a swap to show
        array = array.view(dtype(name))
        np.save(GOLDEN / f"big_{name}.npy", array.astype(array.dtype.newbyteorder(">")))
        np.save(GOLDEN / f"little_{name}.npy", array)
    for version in [(2, 0), (3, 0)]:
        with open(GOLDEN / f"version_{version[0]}.npy", "wb") as out:
            np.lib.format.write_array(out, pattern("float32", (2, 3)), version=version)
    records = np.zeros(2, [("a", "<f4"), ("b", "<i2")])
    refused = {"records": records, "objects": np.array([None]), "bytes": np.array([b"abc"]), "text": np.array(["abc"]),
               "dates": np.zeros(2, "M8[ns]"), "spans": np.zeros(2, "m8[s]"), "longdouble": np.zeros(2, np.longdouble),
               "void3": np.zeros(2, "V3")}
    for name, array in refused.items():
        np.save(GOLDEN / f"refused_{name}.npy", array)

    members = {"weights": pattern("float32", (64, 8)), "bias": pattern("bfloat16", (3,)), "scalar": pattern("int64", ()),
               "leer/ü": pattern("bool", (0, 2)), "order": np.asfortranarray(pattern("int16", (2, 3)))}
    np.savez(GOLDEN / "stored.npz", **members)
    np.savez_compressed(GOLDEN / "deflated.npz", **members)
    small = {"x": pattern("float32", (2,)), "y": pattern("bool", ())}
    np.savez(GOLDEN / "small.npz", **small)
    # Python puts the zip64 records of the directory where a value needs them; with this limit, each does.
    limit, zipfile.ZIP64_LIMIT = zipfile.ZIP64_LIMIT, 0
    np.savez(GOLDEN / "small_zip64.npz", **small)
    zipfile.ZIP64_LIMIT = limit
    # Without seeking, sizes and CRC follow the data, and the local header has none.
    class Pipe:
        def __init__(self, file): self.file = file
        def write(self, data): return self.file.write(data)
        def flush(self): self.file.flush()
    with open(GOLDEN / "streamed.npz", "wb") as out, zipfile.ZipFile(Pipe(out), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("float32.npy", (GOLDEN / "float32.npy").read_bytes())
    with zipfile.ZipFile(GOLDEN / "bzip2.npz", "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("float32.npy", (GOLDEN / "float32.npy").read_bytes())

    tensors = {name: pattern(name, (2, 3)) for name in NUMPY if name in SAFETENSORS}
    tensors |= {"scalar": pattern("float32", ()), "empty": pattern("int8", (2, 0))}
    safetensors.numpy.save_file(tensors, GOLDEN / "numpy.safetensors", metadata={"format": "np", "über": "all"})
    safetensors.numpy.save_file({"x": pattern("complex64", (1,)), "y": pattern("bool", ()), "z": pattern("int16", (2, 0))},
                                GOLDEN / "small.safetensors", metadata={"a": "b"})
    for file, names in {"all_types": list(SAFETENSORS), "packed": ["float4_e2m1fn", "float6_e3m2fn"]}.items():
        header, data = {}, b""
        for name in names:
            content = tensor_bytes(name, pattern(name, (2, 4)))
            offsets = [len(data), len(data) + len(content)]
            header[name] = {"dtype": SAFETENSORS[name], "shape": [2, 4], "data_offsets": offsets}
            data += content
        text = json.dumps(header).encode()
        content = struct.pack("<Q", len(text)) + text + data
        safetensors.deserialize(content)  # the reference implementation takes it
        (GOLDEN / f"{file}.safetensors").write_bytes(content)


def same(found, name, shape, what):
    expected = pattern(name, shape)
    found = found.view(dtype(name)) if found.dtype.kind == "V" else found
    assert found.dtype == expected.dtype and found.shape == expected.shape, f"{what}: {found.dtype} {found.shape}"
    assert found.tobytes() == expected.tobytes(), what


def check(folder):
    for name in NUMPY + list(SMALL):
        same(np.load(folder / f"{name}.npy"), name, (2, 3), name)
    for file in ["from_pier.npz", "from_pier_zip64.npz"]:
        assert zipfile.ZipFile(folder / file).testzip() is None
        with np.load(folder / file) as archive:
            for name in NUMPY + list(SMALL):
                same(archive[name], name, (2, 3), f"{file} {name}")
            assert len(archive) == len(NUMPY) + len(SMALL), file
    content = (folder / "from_pier.safetensors").read_bytes()
    tensors = dict(safetensors.deserialize(content))
    assert (8 + struct.unpack("<Q", content[:8])[0]) % 64 == 0
    for name, type_name in SAFETENSORS.items():
        tensor = tensors.pop(name)
        assert tensor["dtype"] == type_name and tensor["shape"] == [2, 4], name
        assert bytes(tensor["data"]) == tensor_bytes(name, pattern(name, (2, 4))), name
    assert not tensors
    print("numpy, ml_dtypes and safetensors read what pier wrote")


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        check(pathlib.Path(sys.argv[2]))
    else:
        make()
