"""Tables of numbers: columns by name, as metrics.csv has them."""

from __future__ import annotations

import pathlib
from typing import Dict, Iterator, List, Mapping, Optional, Tuple

import numpy as np

from .errors import InputError

__all__ = ["Table", "read_table"]


class Table(Mapping[str, np.ndarray]):
    """Columns by name. `table["time"]` is a float64 array [row]; it is a view of `table.values`.

    values: float64 [row, column]
    units, documentation: by column, empty texts where the file does not state them
    """

    def __init__(self, names: List[str], values: np.ndarray, units: Optional[Dict[str, str]] = None,
                 documentation: Optional[Dict[str, str]] = None) -> None:
        self.values = values
        self.units: Dict[str, str] = {name: (units or {}).get(name, "") for name in names}
        self.documentation: Dict[str, str] = {name: (documentation or {}).get(name, "") for name in names}
        self._index = {name: i for i, name in enumerate(names)}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._index:
            raise KeyError(f"no column {name!r}; there are: {', '.join(self._index) or 'none'}")
        return self.values[:, self._index[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)

    @property
    def row_count(self) -> int:
        return int(self.values.shape[0])

    def __repr__(self) -> str:
        return f"<Table of {self.row_count} rows: {', '.join(self._index)}>"


def read_table(path: pathlib.Path, quantities: List[Dict[str, str]]) -> Table:
    """The table of numbers in a CSV file of a run. A last line without its end, of a run that is being written, is not read.

    quantities: name, unit and documentation of each column, from study.json. Without any, the file may be missing.
    Raises InputError, which names the file and the line, for anything else.
    """
    names = [quantity["name"] for quantity in quantities]
    units = {quantity["name"]: quantity["unit"] for quantity in quantities}
    documentation = {quantity["name"]: quantity["documentation"] for quantity in quantities}
    if not names:
        return Table([], np.empty((0, 0)))
    head, rows = _lines(path)
    if head != names:
        raise InputError(f"{path}:1:1: the columns are {', '.join(head) or 'none'}; study.json names {', '.join(names)}",
                         file=path)
    values = np.empty((len(rows), len(names)))
    for i, row in enumerate(rows):
        try:
            if len(row) != len(names):
                raise ValueError
            values[i] = [float(cell) for cell in row]
        except ValueError:
            raise InputError(f"{path}:{i + 2}:1: found '{','.join(row)}', expected {len(names)} numbers", file=path) from None
    return Table(names, values, units, documentation)


def _lines(path: pathlib.Path) -> Tuple[List[str], List[List[str]]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {_reason(error)}", file=path) from None
    lines = text.split("\n")[:-1]  # whole ones
    cells = [line.split(",") for line in lines]
    return (cells[0], cells[1:]) if cells else ([], [])


def _reason(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
