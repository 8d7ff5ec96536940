"""Holomorph from Python: differentiable simulation, with arrays in and out.

    import holomorph

    run = holomorph.Run("runs/quickstart-001")          # a finished run: run.metrics, run.frames, run.result
    experiment = holomorph.load("quickstart", variant="quick", overrides={"scene.time_step": 0.005})
    experiment.check()
    run = experiment.run()                              # a folder, as `holo run` writes it
    for frame in experiment.build():                    # step by step, without a folder
        print(frame.time, frame.positions.shape)
    material = holomorph.material("neo_hookean", youngs_modulus=1e5, poissons_ratio=0.4)
    material.hessian(F)                                 # F: float64 [n, 3, 3]

`Run` works without the compiled module; everything else is computed by it. All units are SI. docs/python.md is a tutorial.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List

from .errors import EndOfStudy, Error, InputError, InternalError, MachineError, NotAvailable, Problem, StepFailed
from .frames import Frame, Frames
from .runs import Result, Run
from .scenes import Scene
from .tables import Table

if TYPE_CHECKING:
    from .experiments import Experiment, StateFrame, Study, experiment_names, load, resume
    from .plugins import (Joint, Loss, Material, joint, joint_names, loss, loss_names, material, material_names)

_OF_THE_MODULE = {
    "experiments": ["Experiment", "StateFrame", "Study", "experiment_names", "load", "resume"],
    "plugins": ["Joint", "Loss", "Material", "joint", "joint_names", "loss", "loss_names", "material", "material_names"],
}

__all__ = ["EndOfStudy", "Error", "Experiment", "Frame", "Frames", "InputError", "InternalError", "Joint", "Loss",
           "MachineError", "Material", "NotAvailable", "Problem", "Result", "Run", "Scene", "StateFrame", "StepFailed", "Study",
           "Table", "experiment_names", "joint", "joint_names", "load", "loss", "loss_names", "material", "material_names",
           "resume"]


def __getattr__(name: str) -> Any:
    """What needs the compiled module is imported when it is first used."""
    import importlib

    for file, names in _OF_THE_MODULE.items():
        if name in names:
            value = getattr(importlib.import_module(f".{file}", __name__), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'holomorph' has no attribute '{name}'")


def __dir__() -> List[str]:
    return sorted(__all__)
