# SPDX-License-Identifier: BSD-3-Clause
"""scree.Simulation: apps/python/scree with the module that the environment's SCREE_ENGINE names."""
import math
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "apps" / "python"))
sys.dont_write_bytecode = True
import scree  # noqa: E402

GRAVITY = 9.81
RADIUS = 0.01
MASS = 2500 * 4 / 3 * math.pi * RADIUS**3


def balls(count=1, height=0.01, **more):
    return {
        "name": "balls",
        "time": {"step": "1 ms", "end": 0.2},
        "output": {"interval": "0.1 s", "series_interval": "10 ms"},
        "materials": {"glass": {"density": 2500}},
        "pairs": [{"between": ["glass", "glass"], "friction": 0.4}],
        "bodies": [
            {"name": f"ball {k}", "material": "glass", "sphere": {"position": [0.1 * k, 0, height], "radius": RADIUS}}
            for k in range(count)
        ],
        "boundaries": [{"name": "floor", "material": "glass", "plane": {}}],
        "probes": [{"name": "floor", "kind": "force", "target": "floor"}],
        **more,
    }


def cart():
    """A cart of 1 kg on rails, with a pole of 1 m and .1 kg that stands up."""
    body = {"material": "glass"}
    return balls(
        0,
        precision="double",
        bodies=[
            {**body, "name": "cart", "body": {"box": {"half_extents": [0.1, 0.05, 0.05]}, "position": [0, 0, 1], "mass": 1}},
            {**body, "name": "pole", "body": {"box": {"half_extents": [0.01, 0.01, 0.5]}, "position": [0, 0, 1.5], "mass": 0.1}},
        ],
        joints=[
            {"name": "rails", "prismatic": {"point": [0, 0, 1], "axis": [1, 0, 0]}, "bodies": ["ground", "cart"],
             "slide": {"motor": {"force": 0}}},
            {"name": "hinge", "revolute": {"point": [0, 0, 1], "axis": [0, 1, 0]}, "bodies": ["cart", "pole"]},
        ],
    )


class Steps(unittest.TestCase):
    def test_falls_and_lies_on_the_floor(self):
        simulation = scree.Simulation(balls(2, 1.0), threads=1)
        report = simulation.step(100)
        self.assertEqual((report["steps"], report["bodies"], report["unsolved"]), (100, 2, 0))
        self.assertAlmostEqual(simulation.time, 0.1)
        bodies = simulation.bodies()
        self.assertEqual(bodies["points"].shape, (2, 3))
        self.assertEqual(list(bodies["id"]), [1, 2])
        numpy.testing.assert_allclose(bodies["velocity"][:, 2], -GRAVITY * 0.1, rtol=1e-5)  # float
        numpy.testing.assert_allclose(bodies["mass"], MASS, rtol=1e-6)
        self.assertEqual(simulation.sources, ["ball 0", "ball 1"])
        self.assertEqual(list(bodies["source"]), [0, 1])
        self.assertIsNone(simulation.until(0.05))
        simulation.until(1.5)
        self.assertEqual(simulation.step_index, 1500)
        numpy.testing.assert_allclose(simulation.walls()["floor"]["force"][2], -2 * MASS * GRAVITY, rtol=1e-3)
        contacts = simulation.contacts()
        self.assertEqual(list(contacts["id_a"]), [1, 2])
        self.assertEqual(list(contacts["boundary"]), [0, 0])
        numpy.testing.assert_allclose(contacts["normal"], [[0, 0, -1]] * 2, atol=1e-7)
        self.assertEqual(simulation.balance(), {"inserted": 2, "removed": 0, "present": 2})

    def test_comes_to_the_speed_at_which_drag_bears_the_weight(self):
        simulation = scree.Simulation(balls(3, 10.0, time={"step": "1 ms", "end": 2}))
        damping = MASS * GRAVITY / 0.5  # F = -c v: half a metre a second
        while simulation.time < 1.0:
            bodies = simulation.bodies()
            simulation.apply(bodies["id"], -damping * bodies["velocity"])
            simulation.step()
        numpy.testing.assert_allclose(simulation.bodies()["velocity"][:, 2], -0.5, rtol=1e-5)

    def test_takes_one_vector_for_all_or_one_each(self):
        simulation = scree.Simulation(balls(2, 1.0, gravity=[0, 0, 0]), precision="double")
        simulation.apply([1, 2], [0, MASS, 0], torque=[[0, 0, 0], [0, 0, 1e-6]])
        simulation.step(100)
        bodies = simulation.bodies()
        numpy.testing.assert_allclose(bodies["velocity"], [[0, 0.1, 0]] * 2, rtol=1e-6, atol=1e-15)
        self.assertEqual(bodies["omega"][0, 2], 0)
        self.assertAlmostEqual(bodies["omega"][1, 2], 0.1 * 1e-6 / (0.4 * MASS * RADIUS**2), places=6)
        simulation.apply([1, 2], [0, 0, 0])
        simulation.set_velocity([2], [1, 2, 3], omega=[4, 5, 6])
        simulation.step()
        bodies = simulation.bodies()
        numpy.testing.assert_allclose(bodies["velocity"], [[0, 0.1, 0], [1, 2, 3]], rtol=1e-6, atol=1e-15)
        numpy.testing.assert_allclose(bodies["omega"][1], [4, 5, 6])

    def test_goes_back_to_a_state(self):
        simulation = scree.Simulation(balls(5, 0.05), threads=1)
        simulation.step(50)
        state = simulation.save()
        simulation.step(100)
        first = simulation.bodies()["points"]
        simulation.restore(state)
        self.assertEqual(simulation.step_index, 50)
        simulation.step(100)
        numpy.testing.assert_array_equal(simulation.bodies()["points"], first)
        other = scree.Simulation(balls(5, 0.05), threads=2)
        other.restore(state)
        other.step(100)
        numpy.testing.assert_array_equal(other.bodies()["points"], first)

    def test_lifts_the_floor(self):
        simulation = scree.Simulation(balls())
        simulation.step(100)
        simulation.steer("floor", [0, 0, 0.1])
        simulation.step(500)
        self.assertAlmostEqual(simulation.walls()["floor"]["displacement"][2], 0.05)
        self.assertAlmostEqual(simulation.bodies()["points"][0, 2], 0.06, places=5)

    def test_balances_a_pole_by_a_motor(self):
        simulation = scree.Simulation(cart())
        simulation.set_velocity([2], [0, 0, 0], omega=[0, 0.2, 0])  # a nudge
        while simulation.time < 5.0:
            slide, turn = simulation.joints()["rails"]["slide"], simulation.joints()["hinge"]["turn"]
            bodies = simulation.bodies()
            speed, spin = bodies["velocity"][0, 0], bodies["omega"][1, 1]
            force = 30 * turn + 8 * spin + slide + 2 * speed
            simulation.set_motor("rails", float(force))
            simulation.step()
        self.assertLess(abs(simulation.joints()["hinge"]["turn"]), 1e-3)
        self.assertLess(abs(simulation.joints()["rails"]["slide"]), 2e-2)

    def test_falls_without_the_motor(self):
        simulation = scree.Simulation(cart())
        simulation.set_velocity([2], [0, 0, 0], omega=[0, 0.2, 0])
        simulation.until(2.0)
        self.assertGreater(abs(simulation.joints()["hinge"]["turn"]), 1.0)

    def test_sees_along_a_ray(self):
        simulation = scree.Simulation(balls(1, 0.5))
        hit = simulation.cast([0, 0, 1], [0, 0, -1])
        self.assertEqual((hit["body"], hit["wall"]), (1, None))
        self.assertAlmostEqual(hit["distance"], 0.49)
        self.assertEqual(simulation.cast([1, 0, 1], [0, 0, -1])["wall"], "floor")
        self.assertIsNone(simulation.cast([1, 0, 1], [0, 0, 1]))


class Errors(unittest.TestCase):
    def test_name_what_is_wrong_and_change_nothing(self):
        simulation = scree.Simulation(balls(2, 1.0))
        wrong = {
            "no body 7": lambda: simulation.apply([7], [0, 0, 1]),
            "no body 0": lambda: simulation.apply([-1], [0, 0, 1]),
            "shape": lambda: simulation.apply([1, 2], [[0, 0, 1]]),
            "type bool": lambda: simulation.apply(numpy.array([True, True]), [0, 0, 1]),
            "type float64": lambda: simulation.set_velocity([1.0, 2.0], [0, 0, 1]),
            "2 dimensions": lambda: simulation.apply([[1, 2]], [0, 0, 1]),
            "another scene": lambda: simulation.restore(scree.Simulation(balls(3)).save()),
            "is no time": lambda: simulation.until(math.inf),
            "until = -1": lambda: simulation.run("out", until=-1),
            "steps = 0": lambda: simulation.run("out", steps=0),
            "no name of a file": lambda: simulation.run(None),
            "force of": lambda: simulation.apply([1], [0, 0, math.nan]),
            "boundary 'lid'": lambda: simulation.steer("lid", [0, 0, 1]),
            "velocity has the shape": lambda: simulation.steer("floor", 3),
            "joint 'hinge'": lambda: simulation.set_motor("hinge", 1.0),
            "makes no step": lambda: simulation.step(0),
            "direction": lambda: simulation.cast([0, 0, 1], [0, 0, 0]),
            "backend = 'gpu'": lambda: scree.Simulation(balls(), backend="gpu"),
            "no such scene file": lambda: scree.Simulation("nothing.yaml"),
            "pairs": lambda: scree.Simulation(balls(pairs=3)),
            "checkpoint": lambda: scree.Simulation.resume("nothing"),
        }
        for words, call in wrong.items():
            with self.subTest(words), self.assertRaisesRegex(scree.Error, words) as caught:
                call()
            with self.subTest(words):
                self.assertIn(caught.exception.code, (1, 2))
        simulation.step(10)
        numpy.testing.assert_allclose(simulation.bodies()["velocity"][:, 2], -GRAVITY * 0.01, rtol=1e-6)

    def test_a_failed_step_leaves_nothing_to_ask_until_a_state_is_restored(self):
        simulation = scree.Simulation(balls(2), threads=1)
        simulation.step(20)
        state = simulation.save()
        simulation.apply([1], [0, 0, -1e30])
        with self.assertRaises(scree.Error):
            simulation.step(10)
        for ask in (simulation.bodies, simulation.contacts, simulation.walls, simulation.save, simulation.step):
            with self.assertRaisesRegex(scree.Error, "failed"):
                ask()
        simulation.restore(state)
        simulation.step(10)
        self.assertTrue(numpy.isfinite(simulation.bodies()["points"]).all())

    def test_the_interpreter_ends_while_a_thread_steps(self):
        program = (
            "import scree, threading, time\n"
            f"simulation = scree.Simulation({balls(200, 0.011)!r}, threads=1)\n"
            "threading.Thread(target=simulation.step, args=(10**9,), daemon=True).start()\n"
            "time.sleep(0.5)\n"
        )
        paths = os.pathsep.join([str(Path(scree.__file__).parents[1])])
        done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": paths})
        self.assertEqual(done.returncode, 0)

    def test_other_threads_wait_for_the_end_of_steps(self):
        simulation = scree.Simulation(balls(200, 0.011), threads=1)
        steps = threading.Thread(target=simulation.step, args=(3000,))
        steps.start()
        while simulation.step_index == 0:
            time.sleep(0.001)
        with self.assertRaisesRegex(scree.Error, "another thread"):
            simulation.bodies()
        steps.join()
        self.assertEqual(simulation.step_index, 3000)
        self.assertEqual(len(simulation.bodies()["id"]), 200)


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name) / "out"

    def test_writes_what_the_launcher_writes(self):
        own = scree.Simulation(balls(5, 0.05), threads=1).run(self.out)
        launched = scree.run(balls(5, 0.05), self.out.with_name("launched"), threads=1)
        self.assertEqual(own.summary["state_hash"], launched.summary["state_hash"])
        for column in own.series:
            numpy.testing.assert_array_equal(own.series[column], launched.series[column])
        self.assertEqual(len(own.frames), len(launched.frames))

    def test_calls_back_and_goes_on(self):
        simulation = scree.Simulation(balls())
        seen = []

        def each(now):
            seen.append(now.step_index)
            now.apply([1], [0, 0, -1.0 if now.time > 0.05 else 0.0])

        first = simulation.run(self.out, until=0.1, each=each, every=10)
        self.assertEqual(seen, list(range(10, 101, 10)))
        numpy.testing.assert_allclose(first.series["floor.fz"][-1], -1 - MASS * GRAVITY, rtol=1e-3)
        whole = simulation.run(self.out)
        self.assertAlmostEqual(whole.series["time"][-1], 0.2)
        self.assertEqual(len(whole.series["time"]), 21)
        again = scree.Simulation.resume(whole)
        numpy.testing.assert_array_equal(again.bodies()["points"], simulation.bodies()["points"])

    def test_resumes_what_the_launcher_began(self):
        launched = scree.run(balls(5, 0.05), self.out, until=0.1)
        simulation = scree.Simulation.resume(launched)
        self.assertEqual(simulation.step_index, 100)
        rest = simulation.run(self.out)
        whole = scree.run(balls(5, 0.05), self.out.with_name("whole"))
        self.assertEqual(rest.summary["state_hash"], whole.summary["state_hash"])

    def test_checkpoints_hold_what_the_callback_steers(self):
        def lift(now):
            now.steer("floor", [0, 0, 0.1])

        scene = balls(2, output={"interval": "0.1 s", "checkpoint_interval": "50 ms", "checkpoints_kept": 0})
        whole = scree.Simulation(scene).run(self.out, each=lift, every=50)
        half = scree.Simulation.resume(self.out / "checkpoint_00000100.h5")
        numpy.testing.assert_array_equal(half.walls()["floor"]["velocity"], [0, 0, 0.1])
        rest = half.run(self.out.with_name("rest"), each=lift, every=50)
        self.assertEqual(rest.summary["state_hash"], whole.summary["state_hash"])

    def test_ends_well_when_the_callback_raises(self):
        simulation = scree.Simulation(balls())

        def each(now):
            if now.step_index == 60:
                raise ValueError("enough")

        with self.assertRaisesRegex(ValueError, "enough"):
            simulation.run(self.out, each=each)
        self.assertEqual(simulation.step_index, 60)
        run = scree.open_run(self.out)
        self.assertEqual(run.summary["status"], "interrupted")
        self.assertEqual(run.summary["reason"], "interrupted by the program")
        self.assertAlmostEqual(simulation.run(self.out).series["time"][-1], 0.2)

    def test_the_callback_makes_no_steps(self):
        simulation = scree.Simulation(balls())
        with self.assertRaisesRegex(scree.Error, "makes its steps itself"):
            simulation.run(self.out, each=lambda now: now.step())

    def test_takes_no_folder_of_another_run_and_no_lost_steps(self):
        scree.Simulation(balls()).run(self.out)
        other = scree.Simulation(balls())
        with self.assertRaisesRegex(scree.Error, "another run"):
            other.run(self.out)
        other.step()
        with self.assertRaisesRegex(scree.Error, "steps were made before"):
            other.run(self.out, force=True)
        self.assertEqual(scree.Simulation(balls()).run(self.out, force=True).summary["status"], "done")

    def test_ends_at_an_interrupt(self):
        simulation = scree.Simulation(balls(50, 0.02))
        threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            simulation.run(self.out, until=1e6)
        self.assertEqual(scree.open_run(self.out).summary["status"], "interrupted")
        threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            simulation.step(10**9)
        self.assertEqual(len(simulation.bodies()["id"]), 50)


if __name__ == "__main__":
    unittest.main()
