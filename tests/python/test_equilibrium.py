"""A material's energy, minimized by SciPy with our gradient and Hessian, has its minimum at the simulator's equilibrium."""

import numpy as np
import scipy.optimize

import holomorph
import small

STRETCHED = """\
name: stretched
study: quasi_statics
scene:
  time_step: 1
  duration: 1
  gravity: [0, 0, 0]
  bodies:
    - name: bar
      mesh: {shape: box, size: [0.4, 0.2, 0.2], elements: 40}
      density: 1000
      material: {type: neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.4}
      handles:
        - {subset: {box: {max: [0.01, 9, 9]}}, motion: {type: fixed}}
        - subset: {box: {min: [0.39, -9, -9]}}
          motion: {type: linear, displacement: [0.1, 0.05, 0], duration: 1}
solver: {tolerance: 1.0e-12}
"""


class Equilibrium(small.Folder):
    def test_the_minimum_of_the_energy_is_the_equilibrium_of_the_simulator(self):
        run = holomorph.load(self.file("stretched.yaml", STRETCHED)).run(out=self.folder / "stretched")
        body, rest, found = run.scene.body("bar"), run.frames[0].positions, run.frames[-1].positions
        material = holomorph.material("neo_hookean", youngs_modulus=1e5, poissons_ratio=0.4)

        # F = sum_c x_c g_c^T of a linear tetrahedron, with the gradients g_c of its corners' shape functions.
        edges = (rest[body.tetrahedra[:, 1:]] - rest[body.tetrahedra[:, :1]]).swapaxes(1, 2)
        volumes = np.linalg.det(edges) / 6
        inverse = np.linalg.inv(edges)
        gradients = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)

        prescribed = (rest[:, 0] < 0.01) | (rest[:, 0] > 0.39)
        free = np.repeat(~prescribed, 3)
        start = np.where(prescribed[:, None], found, rest)
        unknowns = (3 * body.tetrahedra[:, :, None] + np.arange(3)).reshape(len(volumes), 12)

        def placed(values):
            positions = start.ravel().copy()
            positions[free] = values
            return np.einsum("eci,ecj->eij", positions.reshape(-1, 3)[body.tetrahedra], gradients)

        def energy(values):
            return volumes @ material.energy(placed(values))

        def gradient(values):
            forces = np.einsum("e,eij,ecj->eci", volumes, material.gradient(placed(values)), gradients)
            result = np.zeros(start.size)
            np.add.at(result, unknowns, forces.reshape(-1, 12))
            return result[free]

        def hessian(values):
            blocks = np.einsum("e,eijkl,ecj,edl->ecidk", volumes, material.hessian(placed(values)), gradients, gradients)
            result = np.zeros((start.size, start.size))
            np.add.at(result, (unknowns[:, :, None], unknowns[:, None, :]), blocks.reshape(-1, 12, 12))
            return result[np.ix_(free, free)]

        for method in ("trust-exact", "Newton-CG"):
            options = {"gtol": 1e-11} if method == "trust-exact" else {"xtol": 1e-13}
            # The handle pulls the rest shape's last elements through themselves: the first guess follows it.
            guess = (rest + (found - rest)[rest[:, 0] > 0.39].mean(axis=0) * rest[:, :1] / 0.4).ravel()[free]
            minimum = scipy.optimize.minimize(energy, guess, jac=gradient, hess=hessian, method=method, options=options)
            self.assertLess(np.abs(minimum.x - found.ravel()[free]).max(), 1e-8 * 0.4, method)
            self.assertGreater(np.abs(minimum.x - guess).max(), 1e-3)
