"""Experiments: loaded, checked, run, and stepped."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence

import numpy as np

from . import _native
from .errors import EndOfStudy, InputError, StepFailed
from .frames import Frame, read_scene
from .runs import Run
from .scenes import Scene
from .tables import Table

__all__ = ["Experiment", "StateFrame", "Study", "experiment_names", "load", "resume"]

Progress = Callable[[int, int], object]
"""Called with the steps done and all steps: before the first step and after each one. What it raises ends the run."""


def load(experiment: "str | os.PathLike[str]", variant: Optional[str] = None,
         overrides: Optional[Mapping[str, Any]] = None, *, plugin_path: Sequence["str | os.PathLike[str]"] = (),
         threads: Optional[int] = None) -> "Experiment":
    """Reads an experiment: a file, or a name of `experiment_names()`.

    variant: one of the file's variants
    overrides: new values by their paths, {"scene.time_step": 0.005}; numbers, texts, lists, mappings, NumPy numbers and arrays
    plugin_path: folders that are searched for plugins before those of HOLO_PLUGIN_PATH and of the package
    threads: the largest number of threads; results do not depend on it

    Raises InputError for a file that cannot be read, and for a variant or an override that cannot be applied. All that the
    file states is read by check(), run() and build().
    """
    file = _native.find_experiment(os.fspath(experiment))
    if threads is not None and not 1 <= threads <= 4096:
        raise InputError(f"threads = {threads}: must be from 1 to 4096")
    return Experiment(file, variant or "", {path: _yaml(path, value) for path, value in (overrides or {}).items()},
                      [os.fspath(folder) for folder in plugin_path], threads or 0)


def experiment_names() -> List[str]:
    """The experiments that belong to the package, by the names that load() takes."""
    return list(_native.experiment_names())


def resume(folder: "str | os.PathLike[str]", *, progress: Optional[Progress] = None,
           plugin_path: Sequence["str | os.PathLike[str]"] = (), threads: Optional[int] = None) -> Run:
    """Continues a stopped run from its last checkpoint, to the same metrics and frames as without the interruption.

    Raises InputError if the folder is no run, or if the program, a plugin, the processor or a data file is another than then.
    The program is the package's module: a run that `holo run` began is continued by `holo resume`. Otherwise as
    Experiment.run().
    """
    return _conclude(*_native.resume(os.fspath(folder), [os.fspath(path) for path in plugin_path], threads or 0, progress))


class Experiment:
    """An experiment with its variant and overrides. Made by load()."""

    def __init__(self, file: str, variant: str, overrides: Dict[str, str], plugin_path: List[str], threads: int) -> None:
        self.file = pathlib.Path(file)
        self.variant = variant
        self._overrides = overrides
        self._plugin_path = plugin_path
        self._threads = threads
        self.yaml, self.variants = _native.resolve(self._source())

    yaml: str
    """The resolved experiment: variant and overrides applied."""
    variants: List[str]
    """The names of the file's variants."""

    def check(self) -> str:
        """Reads and builds everything as a run would, computes and writes nothing. Returns what a run would do, in lines.

        Without a variant all variants of the file are read, too. Raises InputError with all problems of the file; its
        attribute `problems` has file, line and column of each.
        """
        return _native.check(self._source())

    def run(self, out: "str | os.PathLike[str] | None" = None, progress: Optional[Progress] = None) -> Run:
        """Runs the experiment and returns its folder.

        out: the folder, new or empty; None: runs/NAME[-VARIANT]-NNN below the present folder
        progress: called with the steps done and all steps

        The GIL is released while the libraries compute; it is taken after each step, for signals and `progress`. Ctrl-C
        (KeyboardInterrupt) and exceptions of `progress` end the run at a checkpoint, from which resume() goes on; a note of
        the exception names the folder. Raises StepFailed if the solver could not continue. Whether the acceptance holds is in
        `run.result.accepted`.
        """
        return _conclude(*_native.run(self._source(), "" if out is None else os.fspath(out), progress))

    def build(self, frames: str = "every step") -> "Study":
        """Builds the study, to be stepped without a folder.

        frames: "every step" draws a frame after each step; "as the experiment states" keeps output.frames_per_second
        """
        if frames not in ("every step", "as the experiment states"):
            raise InputError(f"frames = {frames!r}: 'every step' and 'as the experiment states' are allowed")
        more = {"output.frames_per_second": "1000000"} if frames == "every step" else {}
        return Study(_native.Study(self._source({**self._overrides, **more})))

    def _source(self, overrides: Optional[Dict[str, str]] = None) -> "_native.Source":
        chosen = self._overrides if overrides is None else overrides
        return _native.Source(str(self.file), self.variant, list(chosen.items()), self._plugin_path, self._threads)

    def __repr__(self) -> str:
        return f"<Experiment {self.file}{' variant ' + self.variant if self.variant else ''}>"


class StateFrame(Frame):
    """A frame of a stepped study.

    rows: float64 [row, column], what the step added to the table of metrics; columns as in Study.columns
    is_drawn: whether there is a frame; without one its arrays raise ValueError
    """

    __slots__ = ("rows", "is_drawn")

    def __init__(self, study: "_native.Study", scene: Optional[Scene]) -> None:
        self.rows: np.ndarray = study.rows
        drawn = study.frame
        self.is_drawn = drawn is not None and scene is not None
        if drawn is None or scene is None:
            self.step = study.steps_done
            return
        super().__init__(drawn.step, drawn.time, drawn.positions, drawn.poses, drawn.points,
                         {field.name: values for field, values in zip(scene.fields, drawn.fields)},
                         {field.name: values for field, values in zip(scene.arrows, drawn.arrows)})

    def __getattr__(self, name: str) -> Any:
        if name in Frame.__slots__:
            raise ValueError(f"no frame was drawn after step {self.step}: the study draws none, or "
                             "output.frames_per_second asked for none here")
        raise AttributeError(f"'StateFrame' object has no attribute '{name}'")

    def __repr__(self) -> str:
        return f"<StateFrame of step {self.step}>"


class Study:
    """A study between two steps. Made by Experiment.build().

        for frame in study:                # computes a step, then yields its frame
            print(frame.time, frame.positions.mean(axis=0))
        print(study.metrics())

    The GIL is released while a step is computed. Ctrl-C takes effect after the step, whose state is complete.
    """

    def __init__(self, study: "_native.Study") -> None:
        self._study = study
        header = study.scene_header()
        self.scene: Optional[Scene] = None if header is None else read_scene(header, study.name)
        self.frame = StateFrame(study, self.scene)

    scene: Optional[Scene]
    """What does not change from frame to frame; None: the study draws nothing."""
    frame: StateFrame
    """The latest one; before the first step that of the start."""

    @property
    def name(self) -> str:
        """Of the experiment."""
        return self._study.name

    @property
    def kind(self) -> str:
        """The kind of study, "elastic_dynamics"."""
        return self._study.kind

    @property
    def steps_done(self) -> int:
        return self._study.steps_done

    @property
    def total_steps(self) -> int:
        return self._study.total_steps

    @property
    def columns(self) -> List[str]:
        """The columns of a frame's `rows`."""
        return [name for name, _, _ in self._study.columns]

    @property
    def units(self) -> Dict[str, str]:
        """Of columns and metrics, by name."""
        return {name: unit for name, unit, _ in [*self._study.columns, *self._study.metrics]}

    @property
    def kernels(self) -> List[str]:
        """What computes derivatives."""
        return list(self._study.kernels)

    @property
    def contents(self) -> List[str]:
        """Sizes and masses."""
        return list(self._study.contents)

    @property
    def notes(self) -> List[str]:
        """Notes of the study for its user."""
        return list(self._study.notes)

    def step(self) -> StateFrame:
        """Computes a step and returns its frame.

        Raises EndOfStudy after the last step, and StepFailed if the solver could not continue; the state is then the last
        good one.
        """
        if self.steps_done >= self.total_steps:
            raise EndOfStudy(f"{self.name}: all {self.total_steps} steps are done")
        diagnosis = self._study.step()
        self.frame = StateFrame(self._study, self.scene)
        if diagnosis is not None:
            raise StepFailed(diagnosis)
        return self.frame

    def __iter__(self) -> Iterator[StateFrame]:
        while self.steps_done < self.total_steps:
            yield self.step()

    @property
    def state(self) -> bytes:
        """The whole state, from which the study goes on bit for bit. Setting it takes the state of the same experiment.

        Setting raises InputError for bytes that are none. The latest frame stays that of the last step.
        """
        return self._study.state()

    @state.setter
    def state(self, state: bytes) -> None:
        if not isinstance(state, (bytes, bytearray, memoryview)):
            raise TypeError(f"state: bytes of Study.state are allowed, found {type(state).__name__}")
        self._study.set_state(bytes(state))

    @property
    def arrays(self) -> Dict[str, np.ndarray]:
        """Arrays of the state by name, which may be read and changed between two steps. Empty for kinds without any.

        elastic_dynamics has "positions" [m] and "velocities" [m/s], float64 [vertex, 3] of all vertices of the model. The
        arrays are views of the study's own memory without a copy, keep the study alive, and always show its present state.
        Do not use them in another thread while a step is computed. Metrics that were summed before a change keep their values.
        """
        return {name: values for name, values, _, _ in self._study.state_arrays()}

    def metrics(self) -> Dict[str, float]:
        """The metrics of the finished study by name, in their `units`. Raises InputError before the last step."""
        if self.steps_done < self.total_steps:
            raise InputError(f"{self.name}: {self.steps_done} of {self.total_steps} steps are done; metrics are those of a "
                             "finished study")
        return dict(self._study.finish())

    def __repr__(self) -> str:
        return f"<Study {self.name} ({self.kind}), {self.steps_done} of {self.total_steps} steps>"


def _conclude(folder: str, status: str, message: str, exception: Optional[BaseException]) -> Run:
    if exception is not None:
        if folder and hasattr(exception, "add_note"):
            exception.add_note(f"{message.partition(';')[0]}; holomorph.resume({folder!r}) goes on from there")
        raise exception
    if status == "interrupted":
        raise KeyboardInterrupt(message)
    if status == "failed":
        raise StepFailed(message, folder=folder)
    return Run(folder)


def _yaml(path: str, value: Any) -> str:
    """A value as YAML on one line: JSON is a part of it."""
    try:
        return json.dumps(value, default=_plain)
    except (TypeError, ValueError):
        raise TypeError(f"overrides[{path!r}]: numbers, texts, booleans, lists, mappings and NumPy arrays are allowed, found "
                        f"{type(value).__name__}") from None


def _plain(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(type(value).__name__)
