# SPDX-License-Identifier: BSD-3-Clause
"""apps/python/scree, but for Simulation, with the launcher that the environment's SCREE names."""
import math
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "apps" / "python"))
sys.dont_write_bytecode = True
import scree  # noqa: E402

GRAVITY = 9.81


def falling_ball():
    return {
        "name": "ball",
        "time": {"step": "1 ms", "end": 0.2},
        "output": {"interval": "0.1 s", "series_interval": "10 ms"},
        "materials": {"glass": {"density": 2500}},
        "pairs": [{"between": ["glass", "glass"], "friction": 0.4}],
        "bodies": [{"name": "ball", "material": "glass", "sphere": {"position": [0, 0, 1], "radius": 0.01}}],
        "boundaries": [{"name": "floor", "material": "glass", "plane": {}}],
        "probes": [{"name": "ball", "kind": "body", "target": "ball"}],
    }


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name) / "out"

    def check_fall(self, run):
        self.assertEqual(run.summary["status"], "done")
        self.assertEqual(run.summary["bodies"]["final"], 1)
        self.assertAlmostEqual(run.series["time"][-1], 0.2)
        self.assertEqual(len(run.series["time"]), 21)
        self.assertAlmostEqual(run.series["ball.z"][-1], 1 - GRAVITY / 2 * 0.2**2, delta=2e-3)
        self.assertEqual([frame.time for frame in run.frames], [0.0, 0.1, 0.2])
        last = run.frames[-1]
        self.assertEqual(last["id"][0], 1)
        self.assertAlmostEqual(float(last["radius"][0]), 0.01, places=8)
        self.assertEqual(len(last["points"][0]), 3)
        self.assertEqual(float(last["points"][0][2]), run.series["ball.z"][-1])
        self.assertAlmostEqual(float(last["velocity"][0][2]), -GRAVITY * 0.2, delta=2e-2)
        self.assertIn("quaternion", last)
        self.assertEqual(len(list(last)), len(last))

    def test_a_scene_in_a_dict(self):
        self.check_fall(scree.run(falling_ball(), self.out, threads=1))
        self.check_fall(scree.open_run(self.out))

    def test_without_numpy(self):
        with mock.patch.object(scree.runs, "numpy", None):
            run = scree.run(falling_ball(), self.out)
            self.check_fall(run)
            self.assertIsInstance(run.series["time"], list)
            self.assertIsInstance(run.frames[0]["points"][0], tuple)

    def test_overrides_and_a_restart(self):
        run = scree.run(falling_ball(), self.out, set={"time.step": "0.5 ms", "gravity": [0, 0, -1]}, until=0.1)
        self.assertEqual(run.summary["steps"], 200)
        self.assertAlmostEqual(run.series["ball.z"][-1], 1 - 0.5 * 0.1**2, delta=1e-3)
        run = scree.restart(run)
        self.assertAlmostEqual(run.summary["time"], 0.2)
        self.assertEqual(len(run.series["time"]), 21)

    def test_an_error_is_the_launchers(self):
        scene = falling_ball()
        scene["bodies"][0]["sphere"]["radius"] = -1
        with self.assertRaises(scree.Error) as caught:
            scree.run(scene, self.out)
        self.assertEqual(caught.exception.code, 2)
        self.assertIn("radius", str(caught.exception))
        with self.assertRaises(scree.Error):
            scree.open_run(self.out / "nothing")
        scree.run(falling_ball(), self.out)
        written = self.out.with_name("out.scene.yaml").read_text(encoding="utf-8")
        with self.assertRaises(scree.Error) as caught:  # a run is not overwritten unasked, nor is its scene
            scree.run({**falling_ball(), "name": "another"}, self.out)
        self.assertEqual(caught.exception.code, 1)
        self.assertEqual(self.out.with_name("out.scene.yaml").read_text(encoding="utf-8"), written)
        with self.assertRaises(scree.Error):
            scree.run({**falling_ball(), "name": object()}, self.out, force=True)
        with self.assertRaises(scree.Error):
            scree.open_run(self.out).table("nothing")
        with self.assertRaises(scree.Error):
            scree.open_run(self.out).pictures("contacts")
        scree.run(falling_ball(), self.out, force=True)

    def test_values_that_json_has_not(self):
        scene = falling_ball()
        scene["name"] = "b\u00e4ll \U0001f600"
        scene["probes"].append({"name": "box", "kind": "count", "box": {"upper": (float("inf"), math.inf, 0.99)}})
        if scree.runs.numpy is not None:
            scene["bodies"][0]["sphere"]["position"] = scree.runs.numpy.array([0.0, 0.0, 1.0])
            scene["bodies"][0]["sphere"]["radius"] = scree.runs.numpy.float32(0.0078125)
        run = scree.run(scene, self.out, set={"boundaries.floor.remove_at": math.inf})
        self.assertEqual(run.series["box.count"][0], 0.0)
        self.assertEqual(run.series["box.count"][-1], 1.0)

    def test_other_folders(self):
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.out.parent)
        run = scree.run(falling_ball(), "-a b")
        os.chdir(here)
        self.check_fall(run)
        with self.assertRaises(scree.Error):
            scree.run(falling_ball(), ".")

    def test_a_check(self):
        about = scree.check(falling_ball(), set={"time.end": 1})
        self.assertIsInstance(about, dict)
        with self.assertRaises(scree.Error):
            scree.check({"name": "empty"})

    def test_a_launcher_that_is_not_there(self):
        with mock.patch.dict(os.environ, {"SCREE": "/nowhere/scree"}), self.assertRaises(scree.Error) as caught:
            scree.run(falling_ball(), self.out)
        self.assertIn("/nowhere/scree", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
