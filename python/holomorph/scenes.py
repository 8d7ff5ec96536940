"""The scene of a run: bodies, fields and glyphs, which do not change from frame to frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List

import numpy as np

__all__ = ["Body", "Field", "Scene"]


@dataclass(frozen=True)
class Body:
    """A mesh.

    vertex_count: deformable bodies have the positions of their vertices in each frame, rigid ones `points` and a pose
    tetrahedra: int32 [element, 4], triangles: int32 [triangle, 3], its surface, oriented outwards; vertices of the body, from 0
    points: float64 [vertex, 3] of a rigid body in its own coordinates [m]; empty for a deformable one
    first_vertex: of a deformable body in the positions of a frame; -1 for a rigid one
    """

    name: str
    kind: str
    vertex_count: int
    tetrahedra: np.ndarray
    triangles: np.ndarray
    points: np.ndarray
    first_vertex: int

    @property
    def is_rigid(self) -> bool:
        return len(self.points) > 0

    @property
    def vertices(self) -> slice:
        """Its vertices among the positions of a frame: `frame.positions[body.vertices]` is a view."""
        if self.is_rigid:
            raise ValueError(f"the body '{self.name}' is rigid: its vertices are its points, moved by its pose")
        return slice(self.first_vertex, self.first_vertex + self.vertex_count)


@dataclass(frozen=True)
class Field:
    """A number at each vertex of the deformable bodies, or a list of arrows at some of them."""

    name: str
    unit: str
    documentation: str


class Scene:
    """bodies: in the order of a frame's arrays; fields, arrows: what frames have of each; glyphs: names of points in frames.

    vertex_count: of the deformable bodies; rigid_count: rigid bodies; point_count: points of all glyphs
    length: diagonal of the bounding box at the start [m]
    """

    def __init__(self, text: Dict[str, Any]) -> None:
        self.bodies: List[Body] = []
        self.vertex_count = 0
        for body in text["bodies"]:
            self.bodies.append(_body(body, self.vertex_count))
            self.vertex_count += 0 if self.bodies[-1].is_rigid else self.bodies[-1].vertex_count
        self.rigid_count = sum(body.is_rigid for body in self.bodies)
        self.fields = [_field(field) for field in text["fields"]]
        self.arrows = [_field(field) for field in text.get("arrows", [])]
        self.glyphs = [str(glyph["name"]) for glyph in text["glyphs"]]
        self.point_count = sum(1 if glyph["shape"] == "marker" else 2 for glyph in text["glyphs"])
        self.length = float(text["length"])

    def body(self, name: str) -> Body:
        for body in self.bodies:
            if body.name == name:
                return body
        raise KeyError(f"no body {name!r}; there are: {', '.join(body.name for body in self.bodies)}")

    def __repr__(self) -> str:
        names = [body.name for body in self.bodies[:5]] + (["..."] if len(self.bodies) > 5 else [])
        return f"<Scene of {', '.join(names)}: {self.vertex_count} vertices>"


def _field(text: Dict[str, Any]) -> Field:
    return Field(str(text["name"]), str(text["unit"]), str(text["documentation"]))


def _body(text: Dict[str, Any], first_vertex: int) -> Body:
    points = np.array(text["points"], dtype=np.float64).reshape(-1, 3)
    count = int(text["vertex_count"])
    if count < 1 or (len(points) > 0 and len(points) != count):
        raise ValueError(f"the body '{text['name']}' has {count} vertices and {len(points)} points")
    corners = [np.array(text[key], dtype=np.int32).reshape(-1, size) for key, size in (("tetrahedra", 4), ("triangles", 3))]
    for array in corners:
        if array.size and (array.min() < 0 or array.max() >= count):
            raise ValueError(f"the body '{text['name']}' has {count} vertices, and one of its cells names another")
    return Body(str(text["name"]), str(text["kind"]), count, corners[0], corners[1], points,
                -1 if len(points) else first_vertex)
