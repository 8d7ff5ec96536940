"""The frames of a run: frames.bin, mapped into memory, whose arrays are views."""

from __future__ import annotations

import json
import pathlib
import struct
from typing import Dict, Iterator, List, Sequence, Tuple, Union, overload

import numpy as np

from .errors import InputError
from .scenes import Scene

__all__ = ["Frame", "Frames", "read_scene"]

_MAGIC_OF_VERSION_1, _MAGIC_OF_VERSION_2, _MAGIC_OF_VERSION_3 = b"HOLOFRM1", b"HOLOFRM2", b"HOLOFRM3"
_ARROW = np.dtype([("vertex", "<u4"), ("vector", "<f4", (3,))])


class Frame:
    """One frame.

    step: number of the step, time: [s]
    positions: float64 [vertex, 3] of all deformable bodies, one body after the other [m]
    poses: float64 [rigid body, 7]: position [m] and unit quaternion (w, x, y, z)
    points: float64 [point, 3] of all glyphs [m]
    fields: by name, float32 [vertex] in the field's unit; NaN where it has no value
    arrows: by name, vertices uint32 [k] and vectors float32 [k, 3]

    The arrays of a run's frame are read-only views of frames.bin; those of a stepped study's frame are views of a copy that
    belongs to the frame alone. Either memory lives as long as one of its arrays does.
    """

    __slots__ = ("step", "time", "positions", "poses", "points", "fields", "arrows")

    def __init__(self, step: int, time: float, positions: np.ndarray, poses: np.ndarray, points: np.ndarray,
                 fields: Dict[str, np.ndarray], arrows: Dict[str, Tuple[np.ndarray, np.ndarray]]) -> None:
        self.step, self.time = step, time
        self.positions, self.poses, self.points = positions, poses, points
        self.fields, self.arrows = fields, arrows

    def __repr__(self) -> str:
        return f"<Frame of step {self.step}, time {self.time:g} s>"


class Frames(Sequence[Frame]):
    """All whole frames that the file had when it was opened: `frames[-1]`, `frames[::10]`, `for frame in frames`.

    scene: what does not change; steps: int64 [frame]; times: float64 [frame] [s]

    The file is mapped into memory: a program that cuts it short, as resuming a run does, takes the memory away from arrays in use.
    """

    def __init__(self, path: "str | pathlib.Path") -> None:
        self.path = pathlib.Path(path)
        self.scene, start = _open(self.path)
        self._bytes = np.memmap(self.path, dtype=np.uint8, mode="r")
        self._sizes = _Sizes(self.scene)
        self._ends = self._find_records(start)
        self.steps = np.array([self._number(i, "<i8", 0) for i in range(len(self))], dtype=np.int64)
        self.times = np.array([self._number(i, "<f8", 8) for i in range(len(self))], dtype=np.float64)

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, index: int) -> Frame: ...
    @overload
    def __getitem__(self, index: slice) -> List[Frame]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Frame, List[Frame]]:
        if isinstance(index, slice):
            return [self._frame(i) for i in range(*index.indices(len(self)))]
        number = index + len(self) if index < 0 else index
        if not 0 <= number < len(self):
            raise IndexError(f"frame {index} of {len(self)}")
        return self._frame(number)

    def __iter__(self) -> Iterator[Frame]:
        return (self._frame(i) for i in range(len(self)))

    @property
    def positions(self) -> np.ndarray:
        """float64 [frame, vertex, 3] of all frames [m], a read-only view of the file.

        Raises ValueError for scenes with arrows at vertices, whose frames differ in size; their frames have `positions`, too.
        """
        if self.scene.arrows:
            raise ValueError(f"{self.path}: its frames have arrows and differ in size; take `positions` of each frame")
        record = self._sizes.least
        shape = (len(self), self.scene.vertex_count, 3)
        if len(self) == 0:
            return np.empty(shape)
        return self._view(shape, "<f8", self._ends[0] + 16, (record, 24, 8))

    def check(self) -> None:
        """Compares the checksum of every frame. Raises InputError that names the file and the first damaged frame."""
        for i in range(len(self)):
            record = bytes(self._bytes[self._ends[i]:self._ends[i + 1]])
            (expected,) = struct.unpack("<Q", record[-8:])
            if int(_checksum(record[:-8]), 16) != expected:
                raise InputError(f"{self.path}: frame {i} is damaged", file=self.path)

    def _find_records(self, start: int) -> List[int]:
        ends, least = [start], self._sizes.least
        while len(self._bytes) - ends[-1] >= least:
            size = least
            if self.scene.arrows:
                (size,) = struct.unpack("<Q", self._bytes[ends[-1]:ends[-1] + 8].tobytes())
                if not least <= size <= len(self._bytes) - ends[-1]:
                    break
            ends.append(ends[-1] + size)
        return ends

    def _view(self, shape: Tuple[int, ...], dtype: str, offset: int, strides: "Tuple[int, ...] | None" = None) -> np.ndarray:
        if 0 in shape:
            return np.empty(shape, dtype)
        return np.ndarray(shape, dtype, buffer=self._bytes, offset=offset, strides=strides)  # read-only as the map is

    def _number(self, index: int, dtype: str, offset: int) -> float:
        return self._view((1,), dtype, self._ends[index] + self._sizes.head + offset)[0]

    def _frame(self, index: int) -> Frame:
        scene, at = self.scene, self._ends[index] + self._sizes.head
        arrays: List[np.ndarray] = []
        at += 16
        for count, entries in ((scene.vertex_count, 3), (scene.rigid_count, 7), (scene.point_count, 3)):
            arrays.append(self._view((count, entries), "<f8", at))
            at += 8 * count * entries
        fields = {}
        for field in scene.fields:
            fields[field.name] = self._view((scene.vertex_count,), "<f4", at)
            at += 4 * scene.vertex_count
        arrows = self._arrows(index, at) if scene.arrows else {}
        return Frame(int(self.steps[index]), float(self.times[index]), *arrays, fields, arrows)

    def _arrows(self, index: int, at: int) -> Dict[str, Tuple[np.ndarray, np.ndarray]]:
        result, end = {}, self._ends[index + 1] - 8
        for field in self.scene.arrows:
            count = int(self._view((1,), "<u4", at)[0]) if at + 4 <= end else 0
            if at + 4 + count * _ARROW.itemsize > end:
                raise InputError(f"{self.path}: frame {index} is damaged", file=self.path)
            rows = self._view((count,), _ARROW, at + 4)
            result[field.name] = (rows["vertex"], rows["vector"])
            at += 4 + count * _ARROW.itemsize
        return result


class _Sizes:
    """head: bytes before a record's step; least: bytes of a record without arrows."""

    def __init__(self, scene: Scene) -> None:
        doubles = 3 * scene.vertex_count + 7 * scene.rigid_count + 3 * scene.point_count
        self.head = 8 if scene.arrows else 0
        counts = 4 * len(scene.arrows)
        self.least = self.head + 16 + 8 * doubles + 4 * len(scene.fields) * scene.vertex_count + counts + 8


def read_scene(header: bytes, name: str) -> Scene:
    """The scene in the first bytes of a file of frames."""
    return _parse(header[16:], name, header[:8])


def _parse(text: bytes, name: str, magic: bytes) -> Scene:
    try:
        scene = Scene(json.loads(text))
        if (magic == _MAGIC_OF_VERSION_3) != bool(scene.arrows):
            raise ValueError("its version and its arrows do not fit together")
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{name}: its header is damaged ({error})", file=name) from None
    return scene


def _open(path: pathlib.Path) -> Tuple[Scene, int]:
    """The scene, and where the first record begins. The magic is judged before the sizes."""
    try:
        with open(path, "rb") as file:
            head = file.read(16)
            magic = head[:8]
            if magic == _MAGIC_OF_VERSION_1:
                raise InputError(f"{path}: a file of frames of version 1, which this package does not read (it reads versions "
                                 "2 and 3): run the experiment again, or use the program that wrote it", file=path)
            if len(head) < 16 or magic not in (_MAGIC_OF_VERSION_2, _MAGIC_OF_VERSION_3):
                raise InputError(f"{path}: not a file of frames of a version that this package reads (it does not begin with "
                                 "HOLOFRM2 or HOLOFRM3)", file=path)
            (size,) = struct.unpack("<Q", head[8:])
            if size > path.stat().st_size - 16:
                raise InputError(f"{path}: ends within its header", file=path)
            return _parse(file.read(size), str(path), magic), 16 + size
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}", file=path) from None


def _checksum(data: bytes) -> str:
    """64-bit FNV-1a. The package works without its compiled module, at about ten megabytes a second."""
    try:
        from ._native import checksum
    except ImportError:
        value = 0xCBF29CE484222325
        for byte in data:
            value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
        return f"{value:016x}"
    return str(checksum(data))
