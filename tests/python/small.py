"""What the tests of the Python package share: a small experiment, and a folder that is removed."""

import pathlib
import shutil
import tempfile
import unittest

# A bar that is lifted at one end; ten steps, a checkpoint after each.
LIFTED = """\
name: lifted
study: elastic_dynamics
scene:
  time_step: 0.01
  duration: 0.1
  gravity: [0, 0, -9.81]
  bodies:
    - name: bar
      mesh: {shape: box, size: [0.6, 0.2, 0.2], elements: 60}
      density: 1000
      material: {type: neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.4}
      handles:
        - subset: {box: {max: [0.05, 9, 9]}}
          motion: {type: linear, displacement: [0, 0, 0.1], duration: 0.1}
solver: {type: newton, tolerance: 1.0e-9, max_iterations: 50}
output: {frames_per_second: 50, checkpoint_every: 1}
acceptance:
  - {metric: inverted_elements, at_most: 0}
variants:
  short: {scene.duration: 0.02}
"""

# The same bar without handles and gravity.
FREE = LIFTED[:LIFTED.index("      handles:")].replace("-9.81", "0").replace("lifted", "free") + LIFTED[LIFTED.index("solver:"):]


class Folder(unittest.TestCase):
    """A test with a folder of its own, `self.folder`, and small experiments in it."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="holomorph-"))
        cls.lifted = cls.folder / "lifted.yaml"
        cls.lifted.write_text(LIFTED)
        cls.free = cls.folder / "free.yaml"
        cls.free.write_text(FREE)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path
