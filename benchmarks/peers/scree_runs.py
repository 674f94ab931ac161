# SPDX-License-Identifier: BSD-3-Clause
"""Runs of Scree on one thread, on the CPU, judged by the same measure as its peers."""
import json
import pathlib
import subprocess

import spheres

OUTSIDE_OF_STEPS = ("setup", "output", "other")


def call(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"error: {' '.join(map(str, command))}: {done.stderr.strip()}")
    return done.stdout


def export(scree, source, target):
    call([scree, "export", source, "-o", target, "--force"])
    return target


def run(scree, scene, folder, steps=None, settings=None):
    """The state at the end, the summary, and the processor seconds of the steps.

    The launcher tells processor seconds of the process and wall seconds by phase; the steps get their share, without
    reading the scene, writing files and starting up.
    """
    folder = pathlib.Path(folder)
    command = [scree, "run", scene, "-o", folder / "run", "--force", "--quiet", "--threads", 1, "--backend", "cpu"]
    for key, value in (settings or {}).items():
        command += ["--set", f"{key}={value}"]
    call(command + (["--steps", steps] if steps else []))
    summary = json.loads((folder / "run" / "summary.json").read_text())
    phases = summary["phases"]
    wall = sum(seconds for name, seconds in phases.items() if name not in OUTSIDE_OF_STEPS)
    share = wall / sum(phases.values())
    state = spheres.read_records(export(scree, folder / "run", folder / "end.bin"))
    return state, {"steps": summary["steps"], "cpu_seconds": share * summary["cpu_seconds"], "wall_seconds": wall,
                   "iterations": summary["solver"]["iterations_mean"], "residual": summary["solver"]["residual_rms_final"],
                   "contacts": summary["contacts"]["final"]}
