"""Exceptions of the package. The text of each is the message of the program `holo`.

    Error
      InputError      a bad experiment, file or argument (also a ValueError); nothing was computed or written
        NotAvailable  a good experiment that needs 100-digit references which are not built, or environment variables
      MachineError    the machine: disk full, no permission (also an OSError)
      InternalError   a defect of the program
      StepFailed      the solver could not continue; the last good state is kept
      EndOfStudy      a step was asked for after the last one
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import List, Optional

__all__ = ["Error", "InputError", "NotAvailable", "MachineError", "InternalError", "StepFailed", "EndOfStudy", "Problem"]

_PLACE = re.compile(r"^(?P<file>[^\n]*?):(?P<line>\d+):(?P<column>\d+): (?P<text>.*)$")


@dataclass(frozen=True)
class Problem:
    """One problem of a file. `line` and `column` count from 1."""

    file: str
    line: int
    column: int
    text: str


class Error(Exception):
    """Base of all exceptions of the package.

    problems: the lines of the message that name a place in a file, in the file's order; may be empty.
    file, line, column: the first of these places, or None.
    """

    def __init__(self, text: str, *, file: Optional["os.PathLike[str] | str"] = None) -> None:
        super().__init__(text)
        places = [_PLACE.match(line) for line in text.splitlines()]
        self.problems: List[Problem] = [
            Problem(p["file"], int(p["line"]), int(p["column"]), p["text"]) for p in places if p is not None
        ]
        first = self.problems[0] if self.problems else None
        self.file: Optional[str] = os.fspath(file) if file is not None else (first.file if first else None)
        self.line: Optional[int] = first.line if first else None
        self.column: Optional[int] = first.column if first else None

    def __str__(self) -> str:
        return str(self.args[0])


class InputError(Error, ValueError):
    """A bad experiment, file or argument. Nothing was computed or written."""


class NotAvailable(InputError):
    """A good experiment that needs references that are not built, or environment variables that are not set."""


class MachineError(Error, OSError):
    """The machine failed: disk full, no permission, a library that cannot be loaded."""


class InternalError(Error, RuntimeError):
    """A defect of the program."""


class StepFailed(Error, ArithmeticError):
    """The solver could not continue. The text is the diagnosis: which step, what dominates, what to change.

    folder: of the run, None where a study is stepped without one.
    """

    def __init__(self, text: str, *, folder: Optional[str] = None) -> None:
        super().__init__(text)
        self.folder = folder


class EndOfStudy(Error, IndexError):
    """A step was asked for after the last one."""
