"""Writes small_floats.txt: every value of the small float types as ml_dtypes reads it, for dtype_test.cpp.

    python make_small_floats.py > small_floats.txt

One line for each type: its name, then the values of the bit patterns 0, 1, 2 ... in hexadecimal floating point."""

import ml_dtypes
import numpy as np

TYPES = {
    "float8_e5m2": 8, "float8_e4m3fn": 8, "float8_e4m3b11fnuz": 8, "float8_e5m2fnuz": 8, "float8_e4m3fnuz": 8,
    "float8_e4m3": 8, "float8_e3m4": 8, "float8_e8m0fnu": 8, "float6_e2m3fn": 6, "float6_e3m2fn": 6, "float4_e2m1fn": 4,
}


def spell(value):
    if np.isnan(value):
        return "nan"
    if np.isinf(value):
        return "inf" if value > 0 else "-inf"
    text = float(value).hex()
    # 0x1.8000000000000p+1: the zeros say nothing.
    mantissa, exponent = text.split("p")
    return mantissa.rstrip("0").rstrip(".") + "p" + exponent if "." in mantissa else text


for name, bits in TYPES.items():
    patterns = np.arange(2**bits, dtype=np.uint8)
    values = patterns.view(getattr(ml_dtypes, name)).astype(np.float64)
    print(name, *map(spell, values))
