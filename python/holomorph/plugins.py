"""Materials, losses and joints, evaluated on batches of arrays."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from . import _native
from ._arrays import batch, output
from .errors import InputError

__all__ = ["Coordinate", "Datum", "Joint", "Loss", "Material", "Observable", "Parameter", "joint", "joint_names", "loss",
           "loss_names", "material", "material_names"]

Paths = Sequence["str | os.PathLike[str]"]

# Numbers of operations in the plugin ABI: libs/core/include/holo/core/abi/material.h, loss.h, joint.h.
_ENERGY, _STRESS, _HESSIAN, _DIRECTIONAL_HESSIAN, _THIRD_ORDER, _FOURTH_ORDER = 0, 1, 2, 4, 5, 6
_COEFFICIENT_GRADIENT, _COEFFICIENT_STRESS = 7, 8
_VALUE, _GRADIENT, _LOSS_HESSIAN, _GAUSS_NEWTON, _MEASURES, _DISTANCES = 0, 1, 2, 3, 4, 5
_EQUATIONS, _JACOBIAN, _JOINT_HESSIAN, _MOTION, _MOTION_JACOBIAN, _MOTION_HESSIAN, _COORDINATES = range(7)


@dataclass(frozen=True)
class Parameter:
    """A parameter that a plugin reads. default: as text, "" where it is required."""

    name: str
    kind: str
    unit: str
    range: str
    default: str
    documentation: str


class _Plugin:
    def __init__(self, native: Any) -> None:
        self._native = native

    @property
    def name(self) -> str:
        return str(self._native.name)

    @property
    def summary(self) -> str:
        """One line."""
        return str(self._native.summary)

    @property
    def documentation(self) -> str:
        return str(self._native.documentation)

    @property
    def parameters(self) -> List[Parameter]:
        """What the plugin reads, with units, ranges and defaults."""
        return [Parameter(p["name"], p["kind"], p["unit"], p["range"], p["default"], p["documentation"])
                for p in self._native.parameters]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {self.summary}>"


def material(name: str, *, plugin_path: Paths = (), **parameters: Any) -> "Material":
    """A material with its parameters: material("neo_hookean", youngs_modulus=1e5, poissons_ratio=0.4).

    Raises InputError for an unknown name, and for parameters that are missing, unknown or out of range.
    """
    return Material(_native.Material(name, _yaml_of(parameters), _folders(plugin_path)))


class Material(_Plugin):
    """An energy density psi(F) [J/m^3] of the deformation gradient F.

    Every function takes a batch F, float64 [n, 3, 3], or a single F [3, 3], whose result has no leading n. F[i, j] is the
    derivative of the position's entry i by the rest position's entry j. Arrays of doubles in C order are read where they are,
    others are copied. Results are written into `out` if it is given, else into new memory, by all threads; the GIL is
    released. Outside of the domain the energy is +inf and derivatives are not finite.
    """

    @property
    def formula(self) -> str:
        """The energy density as text, as its code was traced."""
        return str(self._native.formula)

    @property
    def coefficients(self) -> Dict[str, float]:
        """The numbers that the energy has from the parameters, in the units of its formula."""
        return dict(zip(self._native.coefficient_names, self._native.coefficients))

    @property
    def determinants(self) -> Tuple[float, float]:
        """The interval of det F in which the energy is finite; (-inf, inf) where it is finite for every F."""
        everywhere, least, most = self._native.domain
        return (-np.inf, np.inf) if everywhere else (least, most)

    def energy(self, F: Any, *, out: Optional[np.ndarray] = None) -> np.ndarray:
        """psi [J/m^3], [n]."""
        return self._run(_ENERGY, 1, 0, (), F, (), out)

    def gradient(self, F: Any, *, out: Optional[np.ndarray] = None) -> np.ndarray:
        """P = d psi / dF, the first Piola stress [Pa], [n, 3, 3]."""
        return self._run(_STRESS, 9, 0, (3, 3), F, (), out)

    def hessian(self, F: Any, *, out: Optional[np.ndarray] = None) -> np.ndarray:
        """H[i, j, k, l] = d2 psi / dF[i, j] dF[k, l] [Pa], [n, 3, 3, 3, 3]; `.reshape(n, 9, 9)` is symmetric."""
        return self._run(_HESSIAN, 45, 9, (3, 3, 3, 3), F, (), out)

    def directional_hessian(self, F: Any, D: Any, *, out: Optional[np.ndarray] = None) -> np.ndarray:
        """d/dt of the Hessian at F + t D [Pa], [n, 3, 3, 3, 3]. D: [n, 3, 3], or [3, 3] for all."""
        return self._run(_DIRECTIONAL_HESSIAN, 45, 9, (3, 3, 3, 3), F, (D,), out)

    def third_order_contraction(self, F: Any, D1: Any, D2: Any, *, out: Optional[np.ndarray] = None) -> np.ndarray:
        """The third derivative of psi contracted with D1 and D2 [Pa], [n, 3, 3]. D1, D2: [n, 3, 3], or [3, 3] for all."""
        return self._run(_THIRD_ORDER, 9, 0, (3, 3), F, (D1, D2), out)

    def fourth_order_contraction(self, F: Any, D1: Any, D2: Any, D3: Any, *,
                                 out: Optional[np.ndarray] = None) -> np.ndarray:
        """The fourth derivative of psi contracted with D1, D2 and D3 [Pa], [n, 3, 3]."""
        return self._run(_FOURTH_ORDER, 9, 0, (3, 3), F, (D1, D2, D3), out)

    def coefficient_gradient(self, F: Any, *, out: Optional[np.ndarray] = None) -> np.ndarray:
        """d psi / dc by the coefficients, [n, coefficient], in the order of `coefficients`."""
        count = len(self._native.coefficients)
        return self._run(_COEFFICIENT_GRADIENT, count, 0, (count,), F, (), out)

    def coefficient_gradient_of_stress(self, F: Any, *, out: Optional[np.ndarray] = None) -> np.ndarray:
        """dP / dc by the coefficients, [n, coefficient, 3, 3]."""
        count = len(self._native.coefficients)
        return self._run(_COEFFICIENT_STRESS, 9 * count, 0, (count, 3, 3), F, (), out)

    def _run(self, operation: int, entries: int, order: int, shape: Tuple[int, ...], F: Any, directions: Tuple[Any, ...],
             out: Optional[np.ndarray]) -> np.ndarray:
        gradients, is_batch = batch(F, "F", (3, 3))
        count = gradients.shape[0]
        names = ("D",) if len(directions) == 1 else ("D1", "D2", "D3")
        others = [batch(D, name, (3, 3), count)[0] for D, name in zip(directions, names)]
        result = output(out, (count, *shape) if is_batch else shape)
        rows = result if is_batch else result.reshape((1, *shape))
        if count > 0 and entries > 0:
            self._native.run(operation, entries, order, gradients, others, rows)
        return result if is_batch or shape else result[()]


@dataclass(frozen=True)
class Observable:
    """A quantity of a simulation that a loss reads. where: its entries in z; step: 0, or -1, -2 for one or two steps before."""

    kind: str
    subject: str
    step: int
    point: Tuple[float, float, float]
    where: slice


@dataclass(frozen=True)
class Datum:
    """A number that a loss reads and that the simulation's unknowns do not change. value: of a constant signal, else None.

    kind: "signal", "initial value", "time" [s] or "time step" [s]
    """

    kind: str
    subject: Optional[str]
    component: int
    value: Optional[float]


def loss(name: str, *, plugin_path: Paths = (), **parameters: Any) -> "Loss":
    """A loss with its parameters: loss("track_position", body="gripper", target=[0, 0, 1]).

    A body, control, ... is any name. Signals (targets, weights) are constants: a number or a list of numbers; values that vary
    in time go into `data`. Raises InputError as material().
    """
    values = [entry for value in parameters.values() for entry in (value if isinstance(value, (list, tuple)) else [value])]
    subjects = sorted({value for value in values if isinstance(value, str)})
    return Loss(_native.Loss(name, _yaml_of(parameters), subjects, _folders(plugin_path)))


class Loss(_Plugin):
    """A loss as a function of the observables z that it reads.

    z: float64 [n, observable_size], the entries of `observables` one after the other; or [observable_size], whose result has
    no leading n. data: float64 [n, len(self.data)] or [len(self.data)], the numbers of `data`; without it constant signals
    have their values, and a loss that reads other data raises InputError.
    """

    @property
    def observables(self) -> List[Observable]:
        """What z is made of, in its order."""
        result, first = [], 0
        for kind, subject, step, size, point in self._native.observables:
            result.append(Observable(kind, subject, step, point, slice(first, first + size)))
            first += size
        return result

    @property
    def observable_size(self) -> int:
        """Numbers in z."""
        return int(self._native.observable_size)

    @property
    def data(self) -> List[Datum]:
        """What the rows of `data` are made of."""
        return [Datum(*row) for row in self._native.data]

    @property
    def measures(self) -> Dict[str, str]:
        """Names and units of the numbers for reports."""
        return dict(self._native.measures)

    def value(self, z: Any, data: Any = None, *, out: Optional[np.ndarray] = None) -> np.ndarray:
        """The loss, [n]: the sum of w r^2 / 2 over its residuals, and its plain values."""
        return self._run(_VALUE, (), 0, z, data, out)

    def gradient(self, z: Any, data: Any = None, *, out: Optional[np.ndarray] = None) -> np.ndarray:
        """Its derivative by z, [n, observable_size]."""
        return self._run(_GRADIENT, (self.observable_size,), 0, z, data, out)

    def hessian(self, z: Any, data: Any = None, *, out: Optional[np.ndarray] = None) -> np.ndarray:
        """Its second derivatives by z, [n, observable_size, observable_size], symmetric."""
        return self._square(_LOSS_HESSIAN, z, data, out)

    def gauss_newton(self, z: Any, data: Any = None, *, out: Optional[np.ndarray] = None) -> np.ndarray:
        """The Hessian of its residuals' squares without their curvature, [n, observable_size, observable_size]."""
        return self._square(_GAUSS_NEWTON, z, data, out)

    def measure(self, z: Any, data: Any = None, *, out: Optional[np.ndarray] = None) -> np.ndarray:
        """The numbers for reports, [n, len(self.measures)], in the units of `measures`."""
        return self._run(_MEASURES, (len(self.measures),), 0, z, data, out)

    def distances(self, z: Any, data: Any = None, *, out: Optional[np.ndarray] = None) -> np.ndarray:
        """Distances from its limits, which a step keeps positive, [n, limit]."""
        return self._run(_DISTANCES, (int(self._native.distance_count),), 0, z, data, out)

    def _square(self, operation: int, z: Any, data: Any, out: Optional[np.ndarray]) -> np.ndarray:
        size = self.observable_size
        return self._run(operation, (size, size), size, z, data, out)

    def _data(self, data: Any, count: int) -> np.ndarray:
        if data is not None:
            return batch(data, "data", (len(self.data),), count)[0]
        missing = [datum.kind for datum in self.data if datum.value is None]
        if missing:
            raise InputError(f"data: the loss '{self.name}' reads the {', '.join(missing)}: give data, float64 "
                             f"[n, {len(self.data)}] or [{len(self.data)}], in the order of Loss.data")
        return np.ascontiguousarray(np.broadcast_to([datum.value for datum in self.data], (count, len(self.data))), np.float64)

    def _run(self, operation: int, shape: Tuple[int, ...], order: int, z: Any, data: Any,
             out: Optional[np.ndarray]) -> np.ndarray:
        observables, is_batch = batch(z, "z", (self.observable_size,))
        count = observables.shape[0]
        numbers = self._data(data, count)
        result = output(out, (count, *shape) if is_batch else shape)
        if result.size > 0:
            self._native.run(operation, order, observables, numbers, result.reshape((count, *shape)))
        return result if is_batch or shape else result[()]


@dataclass(frozen=True)
class Coordinate:
    """A coordinate of a joint. kind: "length" [m], "angle" [rad], or "quaternion", one of four numbers of one name."""

    name: str
    kind: str


def joint(name: str, *, plugin_path: Paths = (), **parameters: Any) -> "Joint":
    """A joint with its constants: joint("revolute"). Raises InputError as material()."""
    return Joint(_native.Joint(name, _yaml_of(parameters), _folders(plugin_path)))


class Joint(_Plugin):
    """How a body B may move relative to a body A, by six equations r = 0.

    pose_a, pose_b: float64 [n, 7], origins [m] and quaternions (w, x, y, z), which need not have the length 1; or [7]
    q: float64 [n, m], the joint's coordinates; or [m]
    frames: float64 [2, 16], the joint's frames on A and on B in their bodies' own coordinates: a point [m], its first, second
        and third axis, and the axes as a quaternion. Joint.frame() makes one
    The unknowns are x = (pose_a, pose_b, q), 14 + m numbers. A single pose's results have no leading n.
    """

    @property
    def coordinates(self) -> List[Coordinate]:
        """One for each of the m numbers of q."""
        return [Coordinate(name, kind) for name, kind in self._native.coordinates]

    @property
    def passive_equation_count(self) -> int:
        """How many equations, the first ones, do not contain q: those of the joint when nothing drives it."""
        return int(self._native.passive_equation_count)

    @staticmethod
    def frame(point: Any = (0, 0, 0), quaternion: Any = (1, 0, 0, 0)) -> np.ndarray:
        """A frame on a body, [16]: a point [m], and axes that are turned by a quaternion (w, x, y, z), which is normalized."""
        where, (w, x, y, z) = np.asarray(point, float), np.asarray(quaternion, float) / np.linalg.norm(quaternion)
        axes = [[w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)],
                [2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)],
                [2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z]]
        return np.concatenate([where, *map(np.asarray, axes), [w, x, y, z]])

    def equations(self, pose_a: Any, pose_b: Any, q: Any, frames: Any = None, *,
                  out: Optional[np.ndarray] = None) -> np.ndarray:
        """r, [n, 6]. frames: None for both bodies' own frames."""
        return self._of_poses(_EQUATIONS, 6, 0, (6,), pose_a, pose_b, q, None, frames, out)

    def jacobian(self, pose_a: Any, pose_b: Any, q: Any, frames: Any = None, *,
                 out: Optional[np.ndarray] = None) -> np.ndarray:
        """dr/dx, [n, 6, 14 + m]."""
        size = 14 + len(self.coordinates)
        return self._of_poses(_JACOBIAN, 6 * size, 0, (6, size), pose_a, pose_b, q, None, frames, out)

    def hessian(self, pose_a: Any, pose_b: Any, q: Any, w: Any, frames: Any = None, *,
                out: Optional[np.ndarray] = None) -> np.ndarray:
        """Second derivatives of w . r by x, [n, 14 + m, 14 + m], symmetric. w: [n, 6], or [6] for all."""
        size = 14 + len(self.coordinates)
        return self._of_poses(_JOINT_HESSIAN, size * (size + 1) // 2, size, (size, size), pose_a, pose_b, q, w, frames, out)

    def coordinates_of(self, pose_a: Any, pose_b: Any, frames: Any = None, *,
                       out: Optional[np.ndarray] = None) -> np.ndarray:
        """The coordinates that the poses have, [n, m]. Raises InputError for a joint that does not offer them."""
        count = len(self.coordinates)
        if not self._native.offers(_COORDINATES):
            raise InputError(f"the joint '{self.name}' does not offer the coordinates of poses")
        return self._of_poses(_COORDINATES, count, 0, (count,), pose_a, pose_b, np.zeros(count), None, frames, out)

    def motion(self, q: Any, *, out: Optional[np.ndarray] = None) -> np.ndarray:
        """The pose of B's frame seen from A's, [n, 7]."""
        return self._of_coordinates(_MOTION, 7, 0, (7,), q, None, out)

    def motion_jacobian(self, q: Any, *, out: Optional[np.ndarray] = None) -> np.ndarray:
        """Its derivative by q, [n, 7, m]."""
        count = len(self.coordinates)
        return self._of_coordinates(_MOTION_JACOBIAN, 7 * count, 0, (7, count), q, None, out)

    def motion_hessian(self, q: Any, w: Any, *, out: Optional[np.ndarray] = None) -> np.ndarray:
        """Second derivatives of w . motion by q, [n, m, m], symmetric. w: [n, 7], or [7] for all."""
        count = len(self.coordinates)
        return self._of_coordinates(_MOTION_HESSIAN, count * (count + 1) // 2, count, (count, count), q, w, out)

    def _of_poses(self, operation: int, entries: int, order: int, shape: Tuple[int, ...], pose_a: Any, pose_b: Any, q: Any,
                  w: Any, frames: Any, out: Optional[np.ndarray]) -> np.ndarray:
        a, is_batch = batch(pose_a, "pose_a", (7,))
        b = batch(pose_b, "pose_b", (7,), a.shape[0])[0]
        return self._run(operation, entries, order, shape, a, b, q, w, 6, frames, is_batch, out)

    def _of_coordinates(self, operation: int, entries: int, order: int, shape: Tuple[int, ...], q: Any, w: Any,
                        out: Optional[np.ndarray]) -> np.ndarray:
        coordinates, is_batch = batch(q, "q", (len(self.coordinates),))
        none = np.empty((coordinates.shape[0], 0))
        return self._run(operation, entries, order, shape, none, none, coordinates, w, 7, None, is_batch, out)

    def _run(self, operation: int, entries: int, order: int, shape: Tuple[int, ...], a: np.ndarray, b: np.ndarray, q: Any,
             w: Any, weight_count: int, frames: Any, is_batch: bool, out: Optional[np.ndarray]) -> np.ndarray:
        count = a.shape[0]
        coordinates = batch(q, "q", (len(self.coordinates),), count)[0]
        weights = np.empty((count, 0)) if w is None else batch(w, "w", (weight_count,), count)[0]
        both = np.stack([self.frame(), self.frame()]) if frames is None else batch(frames, "frames", (16,), 2)[0]
        result = output(out, (count, *shape) if is_batch else shape)
        if result.size > 0:
            self._native.run(operation, entries, order, both, a, b, coordinates, weights, result.reshape((count, *shape)))
        return result


def material_names(*, plugin_path: Paths = ()) -> List[str]:
    """The materials on the plugin path."""
    return list(_native.material_names(_folders(plugin_path)))


def loss_names(*, plugin_path: Paths = ()) -> List[str]:
    """The losses on the plugin path."""
    return list(_native.loss_names(_folders(plugin_path)))


def joint_names(*, plugin_path: Paths = ()) -> List[str]:
    """The joints on the plugin path."""
    return list(_native.joint_names(_folders(plugin_path)))


def _folders(plugin_path: Paths) -> List[str]:
    return [os.fspath(folder) for folder in plugin_path]


def _yaml_of(parameters: Dict[str, Any]) -> str:
    """A key a line, in the order in which they were given; a place in a message counts these lines."""
    lines = []
    for name, value in parameters.items():
        plain = value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
        try:
            lines.append(f"{name}: {json.dumps(plain)}\n")
        except TypeError:
            raise TypeError(f"{name}: numbers, texts, booleans and lists are allowed, found {type(value).__name__}") from None
    return "".join(lines) or "{}\n"
