"""Writes tests/e2e/programs: the digits network and small programs in every form that pier takes.

Run with jax==0.10.2: python tests/e2e/make_programs.py
The portable artifact targets StableHLO 1.0.0, which every plugin of the tests reads.
"""

import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax._src.interpreters import mlir
from jax._src.lib import xla_client
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

here = pathlib.Path(__file__).parent
programs = here / "programs"
programs.mkdir(exist_ok=True)


def write_forms(name: str, text: str) -> None:
    """One module as MLIR text, StableHLO bytecode, portable artifact and serialized HLO."""
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        (programs / f"{name}.mlir").write_text(str(module))
        bytecode = mlir.module_to_bytecode(module)
        (programs / f"{name}.stablehlo.mlirbc").write_bytes(bytecode)
        artifact = stablehlo.serialize_portable_artifact_str(str(module), "1.0.0")
        (programs / f"{name}.vhlo.mlirbc").write_bytes(artifact)
    computation = xla_client._xla.mlir.mlir_module_to_xla_computation(text, use_tuple_args=False, return_tuple=False)
    (programs / f"{name}.hlo.pb").write_bytes(computation.as_serialized_hlo_module_proto())


digits = (here / ".." / ".." / "examples" / "digits" / "digits.mlir").resolve().read_text()
write_forms("digits", digits)
(programs / "digits.mlir").unlink()


def two(a, b):
    return a @ b, (a.sum(), b * 2)


specs = (jax.ShapeDtypeStruct((2, 3), jnp.float32), jax.ShapeDtypeStruct((3, 4), jnp.float32))
write_forms("two_to_three", jax.jit(two).lower(*specs).as_text())


def donated(x):
    return x + 1


write_forms("donated", jax.jit(donated, donate_argnums=0).lower(jax.ShapeDtypeStruct((64,), jnp.float32)).as_text())
