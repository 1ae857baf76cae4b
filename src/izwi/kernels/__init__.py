"""The loops that are compiled ahead of time, and the only place with compiled code.

Each module is a Python file with C types as annotations (Cython's pure Python mode). Compiled it
lies beside its source; uncompiled the same file runs as Python, and tests compare the two. Bounds
are checked in both. How to add one or change one: docs/how-to/write-a-kernel.md.
"""

try:
    from izwi.kernels import _shared as _shared
except ImportError as error:
    raise ImportError(
        "izwi's compiled parts are missing here. Make them with: python tools/build_kernels.py"
    ) from error
