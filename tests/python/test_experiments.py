"""Experiments run from Python as from the program, and studies are stepped with their state as arrays and bytes."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np

import holomorph
import small

MISSPELLED = small.LIFTED.replace("time_step: 0.01", "time_stp: 0.01").replace("max_iterations: 50", "max_iterations: many")


class Experiments(small.Folder):
    def test_a_run_has_the_bits_of_the_program(self):
        run = holomorph.load(self.lifted).run(out=self.folder / "by_python")
        done = subprocess.run([os.environ["HOLO"], "run", str(self.lifted), "--out", str(self.folder / "by_program")],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        for file in ("metrics.csv", "frames.bin", "experiment.yaml", "study.json"):
            self.assertEqual((run.folder / file).read_bytes(), (self.folder / "by_program" / file).read_bytes(), file)

    def test_variants_and_overrides_are_applied(self):
        experiment = holomorph.load(self.lifted, variant="short", overrides={
            "scene.gravity": np.array([0, 0, -1.5]), "solver.tolerance": np.float64(1e-7), "name": "other",
            "scene.bodies.0.density": 900, "output": {"frames_per_second": 0}})
        self.assertEqual(experiment.variants, ["short"])
        for text in ("name: other", "duration: 0.02", "density: 900"):
            self.assertIn(text, experiment.yaml)
        self.assertIn("other: elastic_dynamics, 2 steps", experiment.check())

    def test_errors_have_the_text_of_the_program_and_places(self):
        path = self.file("misspelled.yaml", MISSPELLED)
        done = subprocess.run([os.environ["HOLO"], "check", str(path)], capture_output=True, text=True)
        with self.assertRaises(holomorph.InputError) as caught:
            holomorph.load(path).check()
        self.assertEqual(done.stderr.strip().removeprefix("error: "), str(caught.exception))
        lines = MISSPELLED.splitlines()
        place = (1 + next(i for i, line in enumerate(lines) if "many" in line),
                 1 + next(line.index("many") for line in lines if "many" in line))
        self.assertIn((str(path), *place), [(p.file, p.line, p.column) for p in caught.exception.problems])
        self.assertEqual((caught.exception.file, caught.exception.line), (str(path), caught.exception.problems[0].line))

    def test_progress_is_called_before_the_first_step_and_after_each(self):
        calls = []
        holomorph.load(self.lifted, variant="short").run(out=self.folder / "progress",
                                                         progress=lambda done, total: calls.append((done, total)))
        self.assertEqual(calls, [(0, 2), (1, 2), (2, 2)])

    def test_a_run_that_python_ends_is_resumed_to_the_same_bits(self):
        whole = holomorph.load(self.lifted).run(out=self.folder / "whole")

        def interrupt(done, total):
            if done == 4:
                signal.raise_signal(signal.SIGINT)

        def fail(done, total):
            if done == 4:
                raise ZeroDivisionError("of the callback")

        handler = signal.getsignal(signal.SIGINT)
        for name, progress, exception in (("signal", interrupt, KeyboardInterrupt), ("failure", fail, ZeroDivisionError)):
            with self.assertRaises(exception) as caught:
                holomorph.load(self.lifted).run(out=self.folder / name, progress=progress)
            if sys.version_info >= (3, 11):
                self.assertIn(f"stopped by a signal after 4 of 10 steps", caught.exception.__notes__[0])
            self.assertIsNone(holomorph.Run(self.folder / name).result)
            done_again = []
            resumed = holomorph.resume(self.folder / name, progress=lambda done, total: done_again.append(done))
            self.assertEqual(done_again, list(range(4, 11)))
            for file in ("metrics.csv", "frames.bin"):
                self.assertEqual((whole.folder / file).read_bytes(), (resumed.folder / file).read_bytes(), file)
        self.assertIs(signal.getsignal(signal.SIGINT), handler)
        with self.assertRaises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

    def test_ctrl_c_ends_a_run_that_computes(self):
        # Ten steps that take long beside the time in which a thread sends a signal.
        long = self.file("long.yaml", small.LIFTED.replace("elements: 60", "elements: 8000"))
        begun = threading.Event()
        sender = threading.Thread(target=lambda: (begun.wait(), os.kill(os.getpid(), signal.SIGINT)))
        sender.start()
        with self.assertRaises(KeyboardInterrupt):
            holomorph.load(long).run(out=self.folder / "long", progress=lambda done, total: begun.set())
        sender.join()
        run = holomorph.Run(self.folder / "long")
        self.assertIsNone(run.result)
        self.assertLess(run.metrics.row_count, 11)

    def test_the_gil_is_released_while_a_run_computes(self):
        counts, ended, before = [0], threading.Event(), []

        def count():
            while not ended.is_set():
                counts[0] += 1
                time.sleep(1e-4)

        # Python itself never switches threads: the other one runs only while the libraries do.
        interval = sys.getswitchinterval()
        sys.setswitchinterval(100)
        thread = threading.Thread(target=count)
        thread.start()
        try:
            holomorph.load(self.lifted).run(out=self.folder / "released",
                                            progress=lambda done, total: before.append(counts[0]))
        finally:
            ended.set()
            sys.setswitchinterval(interval)
        thread.join()
        self.assertGreater(before[-1], before[0])

    def test_a_solver_that_cannot_go_on_raises_its_diagnosis(self):
        experiment = holomorph.load(self.lifted, overrides={"solver.max_iterations": 1, "solver.tolerance": 1e-12})
        with self.assertRaisesRegex(holomorph.StepFailed, "^step 1 ") as caught:
            experiment.run(out=self.folder / "failed")
        self.assertEqual(holomorph.Run(caught.exception.folder).result.status, "failed")
        study = experiment.build()
        state = study.state
        with self.assertRaisesRegex(holomorph.StepFailed, "^step 1 "):
            study.step()
        self.assertEqual(study.state, state)


class Stepping(small.Folder):
    def test_frames_rows_and_metrics_are_those_of_the_run(self):
        run = holomorph.load(self.lifted, overrides={"output.frames_per_second": 1000}).run(out=self.folder / "run")
        study = holomorph.load(self.lifted).build()
        self.assertEqual((study.name, study.kind, study.total_steps), ("lifted", "elastic_dynamics", 10))
        frames = [study.frame, *study]
        np.testing.assert_array_equal([frame.positions for frame in frames], run.frames.positions)
        np.testing.assert_array_equal(np.concatenate([frame.rows for frame in frames]), run.metrics.values)
        for name, values in frames[-1].fields.items():
            np.testing.assert_array_equal(values, run.frames[-1].fields[name])
        self.assertEqual(study.metrics(), run.result.metrics)
        self.assertEqual(study.units["time"], "s")
        np.testing.assert_array_equal(study.scene.body("bar").tetrahedra, run.scene.body("bar").tetrahedra)

    def test_frames_keep_their_own_memory(self):
        study = holomorph.load(self.lifted).build()
        first = study.step().positions
        kept = first.copy()
        study.step()
        np.testing.assert_array_equal(first, kept)
        self.assertIs(first.base is None, False)
        del study
        gc.collect()
        np.testing.assert_array_equal(first, kept)

    def test_a_state_goes_on_bit_for_bit(self):
        study = holomorph.load(self.lifted).build()
        for _ in range(3):
            study.step()
        state = study.state
        self.assertIsInstance(state, bytes)
        rest = [frame.positions.copy() for frame in study]
        other = holomorph.load(self.lifted).build()
        for again in (study, other):
            again.state = state
            self.assertEqual(again.steps_done, 3)
            np.testing.assert_array_equal([frame.positions for frame in again], rest)

    def test_the_end_is_the_end(self):
        study = holomorph.load(self.lifted, variant="short").build()
        with self.assertRaisesRegex(holomorph.InputError, "0 of 2 steps are done"):
            study.metrics()
        self.assertEqual(len(list(study)), 2)
        self.assertEqual(list(study), [])
        with self.assertRaisesRegex(holomorph.EndOfStudy, "lifted: all 2 steps are done"):
            study.step()

    def test_steps_without_frames_say_so(self):
        experiment = holomorph.load(self.lifted)
        study = experiment.build(frames="as the experiment states")  # every second step
        self.assertFalse(study.step().is_drawn)
        with self.assertRaisesRegex(ValueError, "no frame was drawn after step 1"):
            study.frame.positions
        self.assertTrue(study.step().is_drawn)

    def test_state_arrays_are_views_at_one_address(self):
        study = holomorph.load(self.lifted).build()
        positions = study.arrays["positions"]
        np.testing.assert_array_equal(positions, study.frame.positions)
        state = study.state
        for _ in range(2):
            np.testing.assert_array_equal(study.step().positions, positions)
        study.state = state
        np.testing.assert_array_equal(study.arrays["positions"], positions)
        self.assertEqual(study.arrays["positions"].ctypes.data, positions.ctypes.data)
        del study
        gc.collect()
        self.assertTrue(np.isfinite(positions).all())

    def test_a_changed_state_moves_on_from_there(self):
        """A free body: moved by d with the velocity v, its frames are those of the first one, moved by d + v t."""
        still, moved = (holomorph.load(self.free).build() for _ in range(2))
        random = np.random.default_rng(1)
        noise = 1e-3 * random.standard_normal(still.arrays["positions"].shape)
        d, v = np.array([0.1, -0.2, 0.3]), np.array([1.0, 2.0, -3.0])
        still.arrays["positions"][:] += noise
        moved.arrays["positions"][:] += noise + d
        moved.arrays["velocities"][:] += v
        for a, b in zip(still, moved):
            np.testing.assert_allclose(b.positions - a.positions - d - v * a.time, 0, atol=1e-9)
        self.assertGreater(np.ptp(still.frame.positions - holomorph.load(self.free).build().frame.positions), 1e-4)


class BadInput(small.Folder):
    def test_names_files_variants_and_overrides(self):
        for arguments, text in (
                (("quickstrt",), "quickstart"), ((self.folder / "missing.yaml",), "missing.yaml"),
                ((self.lifted, "shrt"), "short"),
                ((self.lifted, None, {"scene.time_stp.a": 1}), "time_stp")):
            with self.assertRaisesRegex(holomorph.InputError, text):
                holomorph.load(*arguments)
        with self.assertRaisesRegex(holomorph.InputError, "time_stp.*time_step"):
            holomorph.load(self.lifted, overrides={"scene.time_stp": 1}).check()
        with self.assertRaisesRegex(TypeError, r"overrides\['name'\].*found object"):
            holomorph.load(self.lifted, overrides={"name": object()})
        with self.assertRaisesRegex(holomorph.InputError, "threads = 0: must be from 1"):
            holomorph.load(self.lifted, threads=0)
        with self.assertRaisesRegex(holomorph.InputError, "frames = 'all'"):
            holomorph.load(self.lifted).build(frames="all")

    def test_folders(self):
        used = self.folder / "used"
        used.mkdir()
        (used / "file").write_text("mine")
        with self.assertRaisesRegex(holomorph.InputError, "used"):
            holomorph.load(self.lifted).run(out=used)
        self.assertEqual([path.name for path in used.iterdir()], ["file"])
        with self.assertRaisesRegex(holomorph.InputError, "nowhere"):
            holomorph.resume(self.folder / "nowhere")

    def test_states(self):
        study = holomorph.load(self.lifted).build()
        good = study.state
        for state in (b"", b"nothing", good[:-1], good + b"x", holomorph.load(self.free).build().state[:50]):
            with self.assertRaises(holomorph.InputError):
                study.state = state
        with self.assertRaisesRegex(TypeError, "state: bytes .* found list"):
            study.state = [1, 2]
        study.state = good
        self.assertEqual(study.step().step, 1)

    def test_a_second_run_at_once(self):
        def again(done, total):
            holomorph.load(self.lifted).run(out=self.folder / "second")

        with self.assertRaisesRegex(RuntimeError, "another run is in progress"):
            holomorph.load(self.lifted).run(out=self.folder / "first", progress=again)
        self.assertFalse((self.folder / "second").exists())
