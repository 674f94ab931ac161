# SPDX-License-Identifier: BSD-3-Clause
"""Scree from Python (docs/python.md).

    import scree

    run = scree.run("scenes/hello.yaml", "out/hello", set={"time.end": "0.5 s"})     # by the launcher
    run.series["weight.fz"]                                                          # what it wrote

    simulation = scree.Simulation("scenes/hello.yaml")                               # in this process
    simulation.step(100)
    simulation.bodies()["points"]

A scene is a file, or a dict with the keys of docs/scene.md.
"""
from .runs import Error, Frame, Run, check, open_run, program, restart, run
from .simulation import Simulation

__all__ = ["Error", "Frame", "Run", "Simulation", "check", "open_run", "program", "restart", "run"]
