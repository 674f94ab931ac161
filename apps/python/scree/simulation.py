# SPDX-License-Identifier: BSD-3-Clause
"""A simulation in this process: steps, states as NumPy's arrays, forces, walls and motors in the program's hand."""
import importlib.machinery
import importlib.util
import math
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from .runs import Error, Run, _overrides, _yaml

__all__ = ["Simulation"]

_ORIGIN = (0.0, 0.0, 0.0)


def _engine():
    """The compiled half of the package: what the environment's SCREE_ENGINE names, or lies beside this file, or was built
    last in the tree that holds it.
    """
    if (loaded := sys.modules.get("scree._engine")) is not None:
        return loaded
    here = Path(__file__).resolve()
    found = [os.environ["SCREE_ENGINE"]] if os.environ.get("SCREE_ENGINE") else []
    for suffix in importlib.machinery.EXTENSION_SUFFIXES:
        found += here.parent.glob("_engine" + suffix)
        found += sorted(here.parents[3].glob("build/*/python/_engine" + suffix), key=lambda p: -p.stat().st_mtime)
    if not found:
        raise Error(
            f"scree.Simulation needs the module _engine, built for Python {sys.version_info[0]}.{sys.version_info[1]}: "
            "configure with pybind11-dev and python3-numpy installed (scripts/setup), and build the target scree_python"
        )
    try:
        spec = importlib.util.spec_from_file_location("scree._engine", found[0])
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except (ImportError, AttributeError) as error:
        raise Error(f"{found[0]} cannot be loaded: {error}") from None
    sys.modules["scree._engine"] = module
    return module


def _name(path):
    """Of a file or folder, as a text."""
    if not isinstance(path, (str, os.PathLike)):
        raise Error(f"{path!r} is no name of a file or folder", 1)
    return os.fsdecode(path)


def _machine(engine, backend, precision, threads):
    """Options as the launcher's, which its parser checks there."""
    for name, value, allowed in (("backend", backend, ("auto", "cpu", "cuda")), ("precision", precision, ("mixed", "double"))):
        if value is not None and value not in allowed:
            raise Error(f"{name} = {value!r} is none of {', '.join(allowed)}", 1)
    if threads is not None and not 0 <= threads <= 4096:
        raise Error(f"threads = {threads} is out of range [0 to 4096]", 1)
    return engine.Machine(backend, precision, threads)


class Simulation:
    """A scene (a file or a dict) at t = 0, ready to step.

    set: overrides of values, as in scree.run(). folder: where files are looked for that a dict names. backend ("auto",
    "cpu", "cuda"), precision ("mixed", "double"), threads (0: all cores): as the scene says unless given.

    SI units and world axes throughout; ids are those of docs/output.md, from 1 in the order of the sources. All methods
    raise scree.Error for what is not there, does not fit or is not finite (TypeError for what is of another type), and
    change nothing then. After a step that failed (a state that is not a number) there is no state to be asked until one
    is restored.
    """

    def __init__(self, scene, *, set=None, folder=".", backend=None, precision=None, threads=None):
        engine = _engine()
        machine = _machine(engine, backend, precision, threads)
        if isinstance(scene, Mapping):
            self._engine = engine.Engine.parse(_yaml(scene), os.path.join(folder, "scene"), _overrides(set), machine)
        else:
            self._engine = engine.Engine.load(_name(scene), _overrides(set), machine)

    @classmethod
    def resume(cls, source, *, backend=None, threads=None):
        """Where a run (its folder, its Run, or a checkpoint) ended: it goes on from there bit for bit. Contacts and loads
        are those of the last step: there are none before the first one from here.
        """
        engine = _engine()
        self = cls.__new__(cls)
        path = _name(source.folder if isinstance(source, Run) else source)
        self._engine = engine.Engine.resume(path, _machine(engine, backend, None, threads))
        return self

    def __repr__(self):
        return f"<scree.Simulation: {self.body_count} bodies at t = {self.time:g} s, step {self.step_index}>"

    # --- going on -------------------------------------------------------------------------------------------------------

    def step(self, n=1):
        """Makes n steps. Returns a dict: `steps`, `time` [s], `bodies`, and of the last step `contacts`, `residual`
        (relative, as the tolerance), `kinetic_energy` [J]; over all n `iterations`, `unsolved` (steps that missed the
        tolerance), `overlap` (the largest, over the smaller diameter), `inserted`, `removed`.
        """
        return self._engine.step(n)

    def until(self, time):
        """Steps to a time [s], to the nearest step; returns the dict of step(), or None where the time is past."""
        if not math.isfinite(time / self.step_size):
            raise Error(f"until({time}) is no time [a finite number]", 1)
        steps = round(time / self.step_size) - self.step_index
        return self.step(steps) if steps > 0 else None

    def run(self, out, *, until=None, steps=None, force=False, each=None, every=1):
        """Runs as the launcher does, into the folder `out`: series, probes, frames, checkpoints, summary. Returns its Run.

        Ends at time.end, or at `until` [s], or after `steps`. each(simulation) is called after every `every` steps, before
        what these gave is written, and may impose what the coming steps are to go by; what it raises ends the run, its
        files complete, and comes through. force: whether `out` may hold another run, which is replaced. Called again with
        the same folder, the run goes on there.
        """
        call = None if each is None else lambda: each(self)
        out = _name(out)
        self._engine.run(out, until, steps, force, call, every)
        return Run(out)

    def save(self):
        """The exact state, for restore() of this object or another of the same scene; forces and motors that were imposed
        are not part of it.
        """
        return self._engine.save()

    def restore(self, state):
        """Goes back to a state of save(). Imposed forces end; what was steered goes on as it did then. Contacts and loads
        are those of the last step: there are none before the next one.
        """
        self._engine.restore(state)

    # --- what is there --------------------------------------------------------------------------------------------------

    time = property(lambda self: self._engine.time, doc="[s]")
    step_size = property(lambda self: self._engine.step_size, doc="time.step [s]")
    end_time = property(lambda self: self._engine.end_time, doc="time.end [s]")
    step_index = property(lambda self: self._engine.step_index, doc="Steps since t = 0.")
    body_count = property(lambda self: self._engine.body_count, doc="Bodies present, fixed ones included.")
    backend = property(lambda self: self._engine.backend, doc="'cpu' or 'cuda'")
    sources = property(lambda self: self._engine.sources, doc="Names of the scene's bodies; `source` counts in them.")
    materials = property(lambda self: self._engine.materials, doc="Names of materials; `material` counts in them.")
    warnings = property(lambda self: self._engine.warnings(), doc="What `scree check` warns of, now: a list of texts.")

    def bodies(self):
        """The bodies now, by id: a dict of arrays, named as in a Frame. `id`, `radius` [m], `mass` [kg] (0: fixed),
        `material`, `source` of n; `points`, `velocity`, `omega`, `force`, `torque` (of contacts, means over the last
        step) of n x 3; `quaternion` (w x y z, body to world axes) of n x 4.
        """
        return self._engine.bodies()

    def contacts(self):
        """Those of the last step: a dict of arrays. `id_a`, `id_b` (0: a wall), `boundary` (-1: none), `gap` [m] of n;
        `point`, `normal` (from A), `force` on B [N] and `moment` of rolling resistance [N m] of n x 3.
        """
        return self._engine.contacts()

    def walls(self):
        """By name of the boundary: `force` [N] of the bodies on it and `torque` [N m] about its torque point, means over
        the last step; `displacement` [m] and `quaternion`: a point p of the scene's boundary is at quaternion(p) +
        displacement; `velocity` [m/s] of the torque point, belts included, and `omega` [rad/s]; `active`.
        """
        return self._engine.walls()

    def joints(self):
        """By name: `turn` [rad], `slide` [m], `force` and `torque` on the second body, `turn_motor`, `slide_motor`."""
        return self._engine.joints()

    def balance(self):
        """Bodies since t = 0: `inserted` = `removed` + `present`."""
        return self._engine.balance()

    def cast(self, origin, direction, max_distance=math.inf):
        """The first thing along a ray: a dict of `body` (id, 0: a wall), `wall` (its name, or None), `distance`,
        `point`, `normal`, `inside`; None where there is nothing. docs/library.md says what is seen.
        """
        return self._engine.cast(origin, direction, max_distance)

    # --- what is imposed ------------------------------------------------------------------------------------------------

    def apply(self, ids, force, torque=_ORIGIN):
        """A force [N] on the centre of mass of free bodies, and a torque [N m], besides what the scene says, from now
        on until they are set anew: three numbers for all, or n x 3. Bodies that are not named keep theirs; ids of bodies
        that left are passed over.
        """
        self._engine.apply(ids, force, torque)

    def set_velocity(self, ids, velocity, omega=_ORIGIN):
        """Velocities [m/s] and spins [rad/s] of free bodies, from which the coming step begins; ids of bodies that left are
        passed over.
        """
        self._engine.set_velocity(ids, velocity, omega)

    def steer(self, wall, velocity, omega=_ORIGIN):
        """Moves the boundary of this name from now on, besides what the scene says: velocity of its torque point [m/s],
        about which it turns [rad/s].
        """
        self._engine.steer(wall, velocity, omega)

    def set_motor(self, joint, target, axis=None):
        """Target of a joint's motor from now on: rad/s, rad or N m of its turn; m/s, m or N of its slide. None: again
        what the scene says. axis ("turn", "slide") where the joint has two motors.
        """
        self._engine.set_motor(joint, target, axis or "")
