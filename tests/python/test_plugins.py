"""Batches of materials, losses and joints have the values of closed forms, in the layout that is documented."""

import unittest

import numpy as np

import holomorph

MU, LAMBDA = 4.0e4, 9.0e4
YOUNG, POISSON = MU * (3 * LAMBDA + 2 * MU) / (LAMBDA + MU), LAMBDA / (2 * (LAMBDA + MU))


def energy(F):
    """mu/2 (tr F^T F - 3) - mu ln J + lambda/2 (ln J)^2, for real and complex F [n, 3, 3]."""
    log_J = np.log(np.linalg.det(F))
    return MU / 2 * (np.einsum("nij,nij->n", F, F) - 3) - MU * log_J + LAMBDA / 2 * log_J**2


def gradient(F):
    inverse = np.linalg.inv(F)
    log_J = np.log(np.linalg.det(F))[:, None, None]
    return MU * F + (LAMBDA * log_J - MU) * inverse.swapaxes(1, 2)


def hessian(F):
    """dP_ij/dF_kl with dF^-1_ji/dF_kl = -F^-1_jk F^-1_li."""
    inverse = np.linalg.inv(F)
    log_J = np.log(np.linalg.det(F))
    return (MU * np.einsum("ik,jl->ijkl", np.eye(3), np.eye(3))[None]
            + LAMBDA * np.einsum("nji,nlk->nijkl", inverse, inverse)
            - np.einsum("n,njk,nli->nijkl", LAMBDA * log_J - MU, inverse, inverse))


def complex_step(function, F, D):
    return function(F + 1e-30j * D).imag / 1e-30


def deformations(count, seed=1):
    random = np.random.default_rng(seed)
    return np.eye(3) + 0.2 * random.standard_normal((count, 3, 3)).clip(-1, 1)


class Materials(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.material = holomorph.material("neo_hookean_log", youngs_modulus=YOUNG, poissons_ratio=POISSON)

    def close(self, found, expected, scale=MU + LAMBDA, rounding=1e-12):
        self.assertEqual(found.shape, expected.shape)
        self.assertEqual(found.dtype, np.float64)
        np.testing.assert_allclose(found, expected, rtol=0, atol=rounding * scale)

    def test_values_are_those_of_the_closed_form_for_any_number_of_elements(self):
        m = self.material
        for count in (1, 7, 8, 9, 65, 3000):  # within, at and beyond blocks of lanes and tasks of threads
            F, D1, D2 = deformations(count), deformations(count, 2), deformations(count, 3)
            self.close(m.energy(F), energy(F))
            self.close(m.gradient(F), gradient(F), 3 * MU + 3 * LAMBDA)
            self.close(m.hessian(F), hessian(F), 10 * LAMBDA)
            directional = complex_step(hessian, F, D1)
            self.close(m.directional_hessian(F, D1), directional, 200 * LAMBDA)
            self.close(m.third_order_contraction(F, D1, D2), np.einsum("nijkl,nkl->nij", directional, D2), 1000 * LAMBDA)
            fourth = (m.third_order_contraction(F + 1e-5 * D2, D1, D2) - m.third_order_contraction(F - 1e-5 * D2, D1, D2)) / 2e-5
            found = m.fourth_order_contraction(F, D1, D2, D2)
            self.assertLess(np.abs(found - fourth).max(), 1e-5 * np.abs(fourth).max())

    def test_derivatives_by_coefficients(self):
        F = deformations(9)
        self.assertEqual(list(self.material.coefficients), ["lambda", "mu"])
        np.testing.assert_allclose(list(self.material.coefficients.values()), [LAMBDA, MU], rtol=1e-14)
        log_J = np.log(np.linalg.det(F))
        expected = np.stack([log_J**2 / 2, np.einsum("nij,nij->n", F, F) / 2 - 1.5 - log_J], axis=1)
        self.close(self.material.coefficient_gradient(F), expected, 10)
        inverse = np.linalg.inv(F).swapaxes(1, 2)
        expected = np.stack([log_J[:, None, None] * inverse, F - inverse], axis=1)
        self.close(self.material.coefficient_gradient_of_stress(F), expected, 10)

    def test_one_element_has_a_result_without_the_leading_axis(self):
        F = deformations(1)[0]
        self.assertEqual(float(self.material.energy(F)), self.material.energy(F[None])[0])
        np.testing.assert_array_equal(self.material.hessian(F), self.material.hessian(F[None])[0])
        np.testing.assert_array_equal(self.material.directional_hessian(F, np.eye(3)),
                                      self.material.directional_hessian(F[None], np.eye(3)[None])[0])
        self.assertEqual(self.material.gradient(np.empty((0, 3, 3))).shape, (0, 3, 3))

    def test_results_are_written_into_the_memory_that_is_given(self):
        F = deformations(20)
        for function, shape in ((self.material.energy, (20,)), (self.material.gradient, (20, 3, 3)),
                                (self.material.hessian, (20, 3, 3, 3, 3))):
            out = np.full(shape, np.nan)
            self.assertIs(function(F, out=out), out)
            np.testing.assert_array_equal(out, function(F))

    def test_other_numbers_and_orders_of_memory_are_read(self):
        F = deformations(12)
        expected = self.material.gradient(F)
        np.testing.assert_array_equal(self.material.gradient(F[::-1])[::-1], expected)
        np.testing.assert_array_equal(self.material.gradient(np.asfortranarray(F)), expected)
        np.testing.assert_array_equal(self.material.gradient(F.tolist()), expected)
        np.testing.assert_array_equal(self.material.gradient(F.astype(np.float32)),
                                      self.material.gradient(F.astype(np.float32).astype(np.float64)))

    def test_outside_of_the_domain_the_energy_is_infinite(self):
        self.assertEqual(self.material.determinants[0], 0)
        self.assertEqual(float(self.material.energy(np.diag([1, 1, -1]))), np.inf)
        self.assertEqual(holomorph.material("stvk", youngs_modulus=1, poissons_ratio=0).determinants, (-np.inf, np.inf))

    def test_every_material_is_found_and_describes_itself(self):
        names = holomorph.material_names()
        self.assertIn("neo_hookean", names)
        self.assertEqual(self.material.name, "neo_hookean_log")
        self.assertIn("log", self.material.formula)
        self.assertEqual([(p.name, p.unit) for p in self.material.parameters],
                         [("youngs_modulus", "Pa"), ("poissons_ratio", "1")])


class Losses(unittest.TestCase):
    def test_a_tracked_position(self):
        target, weight = np.array([0.1, 0.2, 0.3]), np.array([1.0, 2.0, 4.0])
        loss = holomorph.loss("track_position", body="gripper", point=[0, 0, 0.5], target=target, weight=list(weight))
        (observable,) = loss.observables
        self.assertEqual((observable.kind, observable.subject, observable.step, observable.point, observable.where),
                         ("point", "gripper", 0, (0, 0, 0.5), slice(0, 3)))
        z = np.random.default_rng(1).standard_normal((21, 3))
        np.testing.assert_allclose(loss.value(z), ((z - target)**2 * weight).sum(axis=1) / 2, rtol=1e-14)
        np.testing.assert_allclose(loss.gradient(z), (z - target) * weight, atol=1e-14)
        for matrices in (loss.hessian(z), loss.gauss_newton(z)):
            np.testing.assert_allclose(matrices, np.broadcast_to(np.diag(weight), (21, 3, 3)), atol=1e-14)
        np.testing.assert_allclose(loss.measure(z)[:, 0], np.linalg.norm(z - target, axis=1), rtol=1e-14)
        self.assertEqual(loss.measures, {"position_error": "m"})
        self.assertEqual(float(loss.value(z[3])), loss.value(z)[3])
        # Other targets of each row, in the order of `data`.
        self.assertEqual([datum.kind for datum in loss.data], ["signal"] * 6)
        data = np.array([datum.value for datum in loss.data])
        rows = np.tile(data, (21, 1))
        for k, datum in enumerate(loss.data):
            if datum.value in target:
                rows[:, k] = z[:, datum.component]
        np.testing.assert_allclose(loss.value(z, rows), 0, atol=1e-30)

    def test_a_loss_of_initial_values_needs_data(self):
        loss = holomorph.loss("keep_control", control="elbow", weight=3.0)
        self.assertEqual([datum.kind for datum in loss.data if datum.value is None], ["initial value"])
        with self.assertRaisesRegex(holomorph.InputError, "data: the loss 'keep_control' reads the initial value"):
            loss.value([0.5])
        data = [3.0 if datum.value is not None else 0.25 for datum in loss.data]
        self.assertAlmostEqual(float(loss.value([0.5], data)), 1.5 * 0.25**2, places=14)


class Joints(unittest.TestCase):
    def test_a_hinge(self):
        joint = holomorph.joint("revolute")
        self.assertEqual([(c.name, c.kind) for c in joint.coordinates], [("angle", "angle")])
        self.assertEqual(joint.passive_equation_count, 5)
        angles = np.linspace(-1, 1, 11)[:, None]
        motion = joint.motion(angles)
        expected = np.zeros((11, 7))
        expected[:, 3], expected[:, 4] = np.cos(angles[:, 0] / 2), np.sin(angles[:, 0] / 2)
        np.testing.assert_allclose(motion, expected, atol=1e-15)
        self.assertEqual(joint.motion_jacobian(angles).shape, (11, 7, 1))
        still = np.tile([0, 0, 0, 1.0, 0, 0, 0], (11, 1))
        np.testing.assert_allclose(joint.equations(still, motion, angles), 0, atol=1e-15)
        np.testing.assert_allclose(joint.coordinates_of(still, motion), angles, atol=1e-14)
        # The same seen from a frame away from both origins.
        frame = joint.frame([0.1, 0.2, 0.3], [1, 1, 0, 1])
        axes = frame[3:12].reshape(3, 3)
        np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-15)
        np.testing.assert_allclose(joint.equations(still[0], still[0], [0.0], [frame, frame]), 0, atol=1e-15)

    def test_derivatives_are_those_of_the_equations(self):
        joint = holomorph.joint("revolute")
        random = np.random.default_rng(1)
        x, w = random.standard_normal(15), random.standard_normal(6)

        def at(function, x, *more):
            return function(x[:7], x[7:14], x[14:], *more)

        steps = 1e-5 * np.eye(15)
        jacobian = np.stack([(at(joint.equations, x + s) - at(joint.equations, x - s)) / 2e-5 for s in steps], axis=1)
        np.testing.assert_allclose(at(joint.jacobian, x), jacobian, atol=1e-7)
        rows = np.stack([(w @ (at(joint.jacobian, x + s) - at(joint.jacobian, x - s))) / 2e-5 for s in steps])
        np.testing.assert_allclose(at(joint.hessian, x, w), rows, atol=1e-7)


class BadInput(unittest.TestCase):
    def refused(self, exception, text, function, *arguments, **options):
        with self.assertRaisesRegex(exception, text):
            function(*arguments, **options)

    def test_shapes_and_types_are_named_with_what_is_allowed(self):
        material = holomorph.material("stvk", youngs_modulus=1e5, poissons_ratio=0.3)
        good = np.zeros((5, 3, 3))
        shape = holomorph.InputError
        self.refused(shape, r"F: found the shape \[5, 9\], allowed are \[n, 3, 3\] or \[3, 3\]", material.energy, np.zeros((5, 9)))
        self.refused(shape, r"F: found the shape \[\]", material.energy, 1.0)
        self.refused(shape, r"F: an array .*\[n, 3, 3\]", material.energy, [[1, 2], [3]])
        self.refused(shape, r"D: found 4 entries \(shape \[4, 3, 3\]\), 5 are needed", material.directional_hessian, good, good[:4])
        self.refused(shape, r"D2: found the shape \[3\]", material.third_order_contraction, good, good, np.zeros(3))
        self.refused(TypeError, "F: found an array of complex128, .* real numbers", material.energy, good + 1j)
        self.refused(TypeError, "F: found an array of bool", material.energy, good > 0)
        self.refused(TypeError, "F: found an array of <U1", material.energy, [["a"] * 3] * 3)
        self.refused(TypeError, "out: found list, an array of float64 of the shape", material.energy, good, out=[0.0] * 5)
        self.refused(TypeError, "out: found an array of float32", material.energy, good, out=np.zeros(5, np.float32))
        self.refused(shape, r"out: found the shape \[4\], allowed is \[5\]", material.energy, good, out=np.zeros(4))
        self.refused(shape, "out: must be in C order and writeable", material.energy, good, out=np.zeros(10)[::2])
        locked = np.zeros(5)
        locked.flags.writeable = False
        self.refused(shape, "out: must be in C order and writeable", material.energy, good, out=locked)
        loss = holomorph.loss("track_position", body="a", target=[0, 0, 0])
        self.refused(shape, r"z: found the shape \[4\], allowed are \[n, 3\] or \[3\]", loss.value, np.zeros(4))
        self.refused(shape, r"data: found the shape \[2\]", loss.value, np.zeros(3), np.zeros(2))
        joint = holomorph.joint("revolute")
        pose = np.array([0, 0, 0, 1.0, 0, 0, 0])
        self.refused(shape, r"pose_b: found the shape \[6\]", joint.equations, pose, pose[:6], [0.0])
        self.refused(shape, r"q: found the shape \[2\], allowed are \[n, 1\] or \[1\]", joint.motion, [0.0, 1.0])
        self.refused(shape, r"w: found the shape \[7\]", joint.hessian, pose, pose, [0.0], pose)
        self.refused(shape, r"frames: found the shape \[2, 7\]", joint.equations, pose, pose, [0.0], np.zeros((2, 7)))

    def test_names_and_parameters(self):
        self.refused(holomorph.InputError, "neo_hookan.*neo_hookean", holomorph.material, "neo_hookan")
        self.refused(holomorph.InputError, "'revolute' is a joint, not a material", holomorph.material, "revolute")
        self.refused(holomorph.InputError, "youngs_modulus", holomorph.material, "stvk", poissons_ratio=0.3)
        self.refused(holomorph.InputError, "poissons_ratio", holomorph.material, "stvk", youngs_modulus=1, poissons_ratio=0.7)
        self.refused(holomorph.InputError, "youngs_modulos.*youngs_modulus", holomorph.material, "stvk", youngs_modulus=1,
                     youngs_modulos=1, poissons_ratio=0.3)
        self.refused(TypeError, "youngs_modulus: numbers, .* found object", holomorph.material, "stvk", youngs_modulus=object())
        self.refused(holomorph.InputError, "target", holomorph.loss, "track_position", body="a", target=[0, 0])
        self.refused(holomorph.InputError, "weight", holomorph.loss, "track_position", body="a", target=[0, 0, 0], weight=-1)
        self.refused(holomorph.InputError, "make a loss of each name", holomorph.loss, "track_position", body=["a", "b"],
                     target=[0, 0, 0])
