"""Records made many at once: a page has hundreds of blocks, a shard hundreds of thousands of rows.

A frozen record refuses to be changed, so that its own `__init__` fills each field by a call. Here
the fields are filled as Python itself does it, for all records of a kind in one loop.
"""

import cython


def made(kind: type, names: tuple, columns: tuple) -> list:
    """Return a record of a kind for each row: `names` are its fields, all of them, in any order.

    A column is a list, as long as the first, or a value that all rows have.
    """
    count: cython.Py_ssize_t = len(columns[0])
    new = object.__new__
    found: list = [new(kind) for _ in range(count)]
    for name, column in zip(names, columns, strict=True):
        if not isinstance(column, list):
            column = [column] * count
        if len(column) != count:
            raise ValueError("columns of several lengths")
        _fill(found, name, column)
    return found


@cython.cfunc
def _fill(records: list, name: str, column: list):
    row: cython.Py_ssize_t
    for row in range(len(records)):
        if cython.compiled:
            PyObject_GenericSetAttr(records[row], name, column[row])  # noqa: F821
        else:
            object.__setattr__(records[row], name, column[row])
