"""Folders of runs, read without the C++ program."""

from __future__ import annotations

import csv
import functools
import json
import pathlib
from dataclasses import dataclass
from typing import Any, Dict, List, Optional

from .errors import InputError
from .frames import Frames
from .scenes import Scene
from .tables import Table, read_table

__all__ = ["Acceptance", "PaperValue", "Result", "Run"]


@dataclass(frozen=True)
class Acceptance:
    """A condition of the experiment on a metric, and whether it holds."""

    metric: str
    bound: str
    value: float
    holds: bool


@dataclass(frozen=True)
class PaperValue:
    """A value or claim of a paper beside ours. verdict: "reproduced", "differs" or "not_attempted"; ours: None if unknown."""

    name: str
    paper: float
    ours: Optional[float]
    verdict: str
    cause: str


@dataclass(frozen=True)
class Result:
    """The result of a run that has finished or failed.

    status: "finished" or "failed"; message: one sentence, of a failure the diagnosis; steps: how many were done
    metrics: by name, in their units (Run.units); accepted: finished, and every condition holds
    """

    name: str
    study: str
    status: str
    message: str
    steps: int
    accepted: bool
    metrics: Dict[str, float]
    acceptance: List[Acceptance]
    paper: List[PaperValue]
    diagnoses: List[str]


class Run:
    """The folder of a run: `Run("runs/quickstart-001")`.

    The files are read when they are asked for, each once. Raises InputError, which names the file, for a folder that is no
    run, and for files that are missing, damaged or of another version.
    """

    def __init__(self, folder: "str | pathlib.Path") -> None:
        self.folder = pathlib.Path(folder)
        if not self.folder.is_dir():
            raise InputError(f"{self.folder}: no such folder", file=self.folder)
        if not (self.folder / "study.json").is_file():
            raise InputError(f"{self.folder}: not the folder of a run (it has no study.json)", file=self.folder)
        self.description: Dict[str, Any] = self._json("study.json", "the description of a run",
                                                      ("name", "study", "columns", "timing_columns", "metrics"))

    @property
    def name(self) -> str:
        """Of the experiment."""
        return str(self.description["name"])

    @property
    def study(self) -> str:
        """The kind of study."""
        return str(self.description["study"])

    @property
    def units(self) -> Dict[str, str]:
        """The unit of each metric of the result."""
        return {str(metric["name"]): str(metric["unit"]) for metric in self.description["metrics"]}

    @functools.cached_property
    def metrics(self) -> Table:
        """metrics.csv: one row for each step that was recorded, the same for any number of threads."""
        return self._table("metrics.csv", "columns")

    @functools.cached_property
    def timings(self) -> Table:
        """timings.csv: how long the steps took."""
        return self._table("timings.csv", "timing_columns")

    @functools.cached_property
    def result(self) -> Optional[Result]:
        """None while the run has not finished: it is in progress, or was stopped and can be resumed."""
        if not (self.folder / "result.json").exists():
            return None
        text = self._json("result.json", "the result of a run", ("status", "metrics"))
        try:
            return _result(text)
        except (KeyError, TypeError, ValueError) as error:
            raise self._refused("result.json", "the result of a run", f"{type(error).__name__}: {error}") from None

    @functools.cached_property
    def provenance(self) -> Dict[str, Any]:
        """provenance.json: program, machine, plugins, data files, seed."""
        return self._json("provenance.json", "the provenance of a run", ("version", "seed"))

    @property
    def experiment(self) -> str:
        """The resolved experiment as YAML: variant and overrides applied."""
        return self._text("experiment.yaml")

    @functools.cached_property
    def frames(self) -> Frames:
        """frames.bin. Raises InputError if the run draws nothing."""
        if not (self.folder / "frames.bin").exists():
            raise InputError(f"{self.folder / 'frames.bin'}: the run has no frames (its study draws none, or "
                             "output.frames_per_second is 0)", file=self.folder / "frames.bin")
        return Frames(self.folder / "frames.bin")

    @property
    def scene(self) -> Scene:
        """What does not change from frame to frame."""
        return self.frames.scene

    @property
    def tables(self) -> List[str]:
        """The names of the tables that the study wrote for other programs."""
        return sorted(path.stem for path in (self.folder / "tables").glob("*.csv"))

    def table(self, name: str) -> List[Dict[str, str]]:
        """A table of the study by its name: a mapping of columns to texts for each row."""
        if name not in self.tables:
            raise KeyError(f"{self.folder}: no table {name!r}; there are: {', '.join(self.tables) or 'none'}")
        return list(csv.DictReader(self._text(f"tables/{name}.csv").splitlines()))

    def __repr__(self) -> str:
        return f"<Run of {self.name} ({self.study}) in {self.folder}>"

    def _table(self, file: str, key: str) -> Table:
        return read_table(self.folder / file, self.description[key])

    def _text(self, file: str) -> str:
        path = self.folder / file
        try:
            return path.read_text(encoding="utf-8")
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}", file=path) from None
        except UnicodeDecodeError as error:
            raise InputError(f"{path}: is not a text: {error}", file=path) from None

    def _json(self, file: str, what: str, keys: "tuple[str, ...]") -> Dict[str, Any]:
        try:
            text = json.loads(self._text(file))
        except ValueError as error:
            if isinstance(error, InputError):
                raise
            raise self._refused(file, what, str(error)) from None
        missing = [key for key in keys if not isinstance(text, dict) or key not in text]
        if missing:
            raise self._refused(file, what, f"of another version: it has no {', '.join(missing)}")
        return dict(text)

    def _refused(self, file: str, what: str, reason: str) -> InputError:
        return InputError(f"{self.folder / file}: not {what} ({reason})", file=self.folder / file)


def _number(value: Any) -> float:
    """JSON has no numbers that are not finite: they are {"number": "NaN"}, "infinity" or "-infinity"."""
    if isinstance(value, dict):
        return float(value["number"])
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"found {value!r}, expected a number")
    return float(value)


def _result(text: Dict[str, Any]) -> Result:
    return Result(
        name=str(text["name"]), study=str(text["study"]), status=str(text["status"]), message=str(text["message"]),
        steps=int(text["steps"]), accepted=bool(text["accepted"]),
        metrics={str(name): _number(value) for name, value in text["metrics"].items()},
        acceptance=[Acceptance(row["metric"], row["bound"], _number(row["value"]), bool(row["holds"]))
                    for row in text["acceptance"]],
        paper=[PaperValue(row["name"], _number(row["paper"]), None if row["ours"] is None else _number(row["ours"]),
                          row["verdict"], row["cause"]) for row in text["paper"]],
        diagnoses=[str(row["text"]) for row in text["diagnoses"]])
