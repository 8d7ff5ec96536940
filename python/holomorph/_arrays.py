"""Arguments that are arrays: their shapes and types are checked, and errors name the argument and what is allowed."""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from .errors import InputError

__all__ = ["batch", "joined_shape", "output"]


def joined_shape(shape: Tuple[int, ...], batched: bool) -> str:
    """"[n, 3, 3]" """
    return "[" + ", ".join((["n"] if batched else []) + [str(size) for size in shape]) + "]"


def _numbers(value: Any, name: str, allowed: str) -> np.ndarray:
    if isinstance(value, np.ndarray):
        array = value
    else:
        try:
            array = np.asarray(value)
        except ValueError as error:  # rows of different lengths
            raise InputError(f"{name}: an array {allowed} is allowed ({error})") from None
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name}: found an array of {array.dtype}, an array {allowed} of real numbers is allowed")
    return array


def batch(value: Any, name: str, entry: Tuple[int, ...], count: Optional[int] = None) -> Tuple[np.ndarray, bool]:
    """`value` as float64 [n, entries...] in C order, and whether it was a batch. A single entry becomes a batch of one.

    An array of doubles in C order is used as it is; others are copied. count: the n that it must have, None: any.
    """
    allowed = f"{joined_shape(entry, True)} or {joined_shape(entry, False)}"
    array = _numbers(value, name, allowed)
    if array.shape == entry:
        array = array[np.newaxis]
        is_batch = False
    elif array.ndim == len(entry) + 1 and array.shape[1:] == entry:
        is_batch = True
    else:
        raise InputError(f"{name}: found the shape {list(array.shape)}, allowed are {allowed}")
    if count is not None and array.shape[0] != count:
        if is_batch:
            raise InputError(f"{name}: found {array.shape[0]} entries (shape {list(array.shape)}), {count} are needed as in the "
                             "first argument")
        array = np.broadcast_to(array, (count, *entry))
    return np.ascontiguousarray(array, dtype=np.float64), is_batch


def output(out: Any, shape: Tuple[int, ...]) -> np.ndarray:
    """Memory for a result: `out` itself, which must fit exactly, or new memory."""
    if out is None:
        return np.empty(shape)
    if not isinstance(out, np.ndarray) or out.dtype != np.float64:
        kind = f"an array of {out.dtype}" if isinstance(out, np.ndarray) else type(out).__name__
        raise TypeError(f"out: found {kind}, an array of float64 of the shape {list(shape)} is allowed")
    if out.shape != shape:
        raise InputError(f"out: found the shape {list(out.shape)}, allowed is {list(shape)}")
    if not (out.flags.c_contiguous and out.flags.writeable):
        raise InputError("out: must be in C order and writeable")
    return out
