"""Folders of runs are read as they are, without copies, and damaged ones are refused by name."""

import csv
import json
import os
import re
import shutil
import struct
import subprocess
import sys
from unittest import mock

import numpy as np

import holomorph
import small


class OneRun(small.Folder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_folder = holomorph.load(cls.lifted).run(out=cls.folder / "run").folder

    def copy(self):
        path = self.folder / self._testMethodName
        shutil.copytree(self.run_folder, path)
        return path


class RunFolders(OneRun):
    def test_tables_have_the_numbers_units_and_names_of_the_file(self):
        run = holomorph.Run(self.run_folder)
        with open(self.run_folder / "metrics.csv", newline="") as file:
            rows = list(csv.reader(file))
        self.assertEqual(list(run.metrics), rows[0])
        np.testing.assert_array_equal(run.metrics.values, np.array(rows[1:], dtype=float))
        np.testing.assert_array_equal(run.metrics["step"], np.arange(11))
        self.assertEqual(run.metrics.units["time"], "s")
        self.assertEqual(run.timings.row_count, 10)
        with self.assertRaisesRegex(KeyError, "no column 'speed'.*maximum_speed"):
            run.metrics["speed"]

    def test_the_result_has_metrics_and_verdicts(self):
        run = holomorph.Run(self.run_folder)
        self.assertEqual((run.name, run.study, run.result.status), ("lifted", "elastic_dynamics", "finished"))
        self.assertTrue(run.result.accepted)
        self.assertEqual(run.result.metrics["inverted_elements"], 0)
        self.assertEqual([row.bound for row in run.result.acceptance], ["at most 0"])
        self.assertEqual(run.units["newton_iterations_mean"], "1")
        self.assertIn("study: elastic_dynamics", run.experiment)
        self.assertIn("plugins", run.provenance)

    def test_frames_are_views_of_the_file(self):
        frames = holomorph.Run(self.run_folder).frames
        self.assertEqual(len(frames), 6)
        np.testing.assert_allclose(frames.times, [0, 0.02, 0.04, 0.06, 0.08, 0.1], atol=1e-15)
        np.testing.assert_array_equal(frames.steps, [0, 2, 4, 6, 8, 10])
        frame = frames[-1]
        self.assertTrue(np.shares_memory(frame.positions, frames._bytes))
        self.assertTrue(np.shares_memory(frames.positions, frames._bytes))
        self.assertFalse(frame.positions.flags.writeable)
        np.testing.assert_array_equal(frames.positions[-1], frame.positions)
        self.assertEqual(len(frames[1:3]), 2)
        self.assertEqual([f.step for f in frames], list(frames.steps))
        with self.assertRaises(IndexError):
            frames[6]

    def test_a_frame_has_the_bytes_of_its_record(self):
        frames = holomorph.Run(self.run_folder).frames
        data = (self.run_folder / "frames.bin").read_bytes()
        (header,) = struct.unpack("<Q", data[8:16])
        scene = json.loads(data[16:16 + header])
        vertices, fields = scene["bodies"][0]["vertex_count"], len(scene["fields"])
        size = 16 + 24 * vertices + 4 * fields * vertices + 8
        record = data[16 + header + 3 * size:16 + header + 4 * size]
        self.assertEqual(struct.unpack("<qd", record[:16]), (frames[3].step, frames[3].time))
        np.testing.assert_array_equal(frames[3].positions.ravel(), np.frombuffer(record[16:16 + 24 * vertices], "<f8"))
        last = np.frombuffer(record[16 + 24 * vertices + 4 * (fields - 1) * vertices:-8], "<f4")
        np.testing.assert_array_equal(list(frames[3].fields.values())[-1], last)

    def test_arrays_outlive_the_run(self):
        positions = holomorph.Run(self.run_folder).frames[0].positions
        self.assertTrue(np.isfinite(positions).all())

    def test_the_scene_has_meshes(self):
        scene = holomorph.Run(self.run_folder).scene
        body = scene.body("bar")
        positions = holomorph.Run(self.run_folder).frames[0].positions[body.vertices]
        corners = positions[body.tetrahedra]
        volume = np.linalg.det(corners[:, 1:] - corners[:, :1]).sum() / 6
        self.assertAlmostEqual(volume, 0.6 * 0.2 * 0.2, places=12)
        with self.assertRaisesRegex(KeyError, "no body 'leg'.*bar"):
            scene.body("leg")

    def test_checksums_find_a_changed_byte(self):
        run = self.copy()
        holomorph.Run(run).frames.check()
        path = run / "frames.bin"
        data = bytearray(path.read_bytes())
        data[-40] ^= 1
        path.write_bytes(data)
        frames = holomorph.Run(run).frames
        with self.assertRaisesRegex(holomorph.InputError, f"{path}: frame 5 is damaged") as caught:
            frames.check()
        self.assertEqual(caught.exception.file, str(path))

    def test_checksums_are_those_of_fnv_1a_with_and_without_the_module(self):
        from holomorph import frames
        for data, digest in ((b"", "cbf29ce484222325"), (b"a", "af63dc4c8601ec8c"), (b"foobar", "85944171f73967e8")):
            self.assertEqual(frames._checksum(data), digest)
            with mock.patch.dict(sys.modules, {"holomorph._native": None}):
                self.assertEqual(frames._checksum(data), digest)

    def test_runs_are_read_without_the_module(self):
        program = ("import sys; sys.modules['holomorph._native'] = None\n"
                   "import holomorph; run = holomorph.Run(sys.argv[1])\n"
                   "print(run.result.status, len(run.frames), run.metrics.row_count)")
        done = subprocess.run([sys.executable, "-c", program, str(self.run_folder)], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
        self.assertEqual(done.stdout.split(), ["finished", "6", "11"], done.stderr)

    def test_a_last_record_that_is_not_whole_is_not_counted(self):
        run = self.copy()
        path = run / "frames.bin"
        path.write_bytes(path.read_bytes()[:-1])
        self.assertEqual(len(holomorph.Run(run).frames), 5)
        (run / "metrics.csv").write_bytes((run / "metrics.csv").read_bytes() + b"11,0.1")
        self.assertEqual(holomorph.Run(run).metrics.row_count, 11)

    def test_arrows_at_vertices_are_read_from_files_of_version_3(self):
        frames_file = self.folder / "arrows.bin"
        body = {"name": "b", "kind": "", "vertex_count": 2, "tetrahedra": [], "triangles": [], "points": []}
        scene = {"bodies": [body], "fields": [], "vectors": [], "glyphs": [], "groups": [], "length": 1,
                 "arrows": [{"name": "force", "unit": "N", "documentation": ""}]}
        text = json.dumps(scene).encode()
        data = b"HOLOFRM3" + struct.pack("<Q", len(text)) + text
        for count in (0, 2):
            record = struct.pack("<qd6d", count, 0.5 * count, *range(6)) + struct.pack("<I", count)
            record += b"".join(struct.pack("<I3f", i, 1, 2, 3 + i) for i in range(count))
            record = struct.pack("<Q", len(record) + 16) + record
            data += record + struct.pack("<Q", int(holomorph.frames._checksum(record), 16))
        frames_file.write_bytes(data)
        frames = holomorph.Frames(frames_file)
        frames.check()
        np.testing.assert_array_equal(frames.steps, [0, 2])
        np.testing.assert_array_equal(frames[1].positions, [[0, 1, 2], [3, 4, 5]])
        vertices, vectors = frames[1].arrows["force"]
        np.testing.assert_array_equal(vertices, [0, 1])
        np.testing.assert_array_equal(vectors, [[1, 2, 3], [1, 2, 4]])
        self.assertEqual(len(frames[0].arrows["force"][0]), 0)
        with self.assertRaisesRegex(ValueError, "differ in size"):
            frames.positions


class BadFolders(OneRun):
    def refused(self, run, what, text):
        with self.assertRaisesRegex(holomorph.InputError, text) as caught:
            what(holomorph.Run(run))
        self.assertTrue(caught.exception.file.startswith(str(run)), caught.exception.file)

    def test_folders_that_are_no_runs(self):
        self.refused(self.folder / "nowhere", lambda run: run, "nowhere: no such folder")
        self.refused(self.folder, lambda run: run, "not the folder of a run")

    def test_files_of_frames_that_are_damaged_or_of_other_versions(self):
        run = self.copy()
        good = (run / "frames.bin").read_bytes()
        cases = ((b"HOLOFRM1" + good[8:], "version 1.*reads versions 2 and 3"), (b"HOLOFRM9" + good[8:], "not a file of frames"),
                 (b"", "not a file of frames"), (good[:8] + b"\xff" * 8 + good[16:], "ends within its header"),
                 (good[:16] + b"x" + good[17:], "its header is damaged"), (b"HOLOFRM3" + good[8:], "its header is damaged"),
                 (re.sub(rb'("tetrahedra":\[\[.*?)\b\d\d\b', rb"\g<1>99", good, count=1), "one of its cells names another"))
        for data, text in cases:
            (run / "frames.bin").write_bytes(data)
            self.refused(run, lambda run: run.frames, text)
        (run / "frames.bin").unlink()
        self.refused(run, lambda run: run.frames, "the run has no frames")

    def test_texts_that_are_damaged_or_of_other_versions(self):
        run = self.copy()
        cases = (("result.json", "{", lambda r: r.result, "not the result of a run"),
                 ("result.json", "[]", lambda r: r.result, "of another version: it has no status"),
                 ("result.json", '{"status": "finished", "metrics": {"a": "x"}}', lambda r: r.result, "not the result"),
                 ("metrics.csv", "step,time\n0,0\n", lambda r: r.metrics, "the columns are step, time; study.json names"),
                 ("timings.csv", "step,wall_time\n1,much\n", lambda r: r.timings, "timings.csv:2:1: found '1,much'"),
                 ("timings.csv", "step,wall_time\n1\n", lambda r: r.timings, "expected 2 numbers"),
                 ("provenance.json", "{}", lambda r: r.provenance, "it has no version, seed"),
                 ("study.json", "{}", lambda r: r, "of another version"))
        for file, text, what, message in cases:
            with self.subTest(file=file, text=text):
                good = (run / file).read_text()
                (run / file).write_text(text)
                self.refused(run, what, message)
                (run / file).write_text(good)
        (run / "metrics.csv").unlink()
        self.refused(run, lambda r: r.metrics, "metrics.csv: cannot be read")
        (run / "result.json").unlink()
        self.assertIsNone(holomorph.Run(run).result)
