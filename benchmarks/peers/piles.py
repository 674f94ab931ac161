# SPDX-License-Identifier: BSD-3-Clause
"""A settled pile goes on for 50 steps of 1 ms: time, overlap and energy by engine and setting.

Each engine starts from the positions and velocities of scenes/pile_N.yaml and meets the same walls, density and friction
(0.5, no restitution). Engines with iterations are run with more and more of them; LAMMPS with stiffer and stiffer springs and
the smaller steps that these need. Overlaps and energies are taken from the bodies at the end, by one function. "Time to equal
penetration" is the least time of an engine's settings whose largest overlap at the end is at most the one named in GOALS.
"""
import json
import pathlib
import subprocess
import tempfile

import lammps_runs
import scree_runs
import spheres

STEPS, STEP = 50, 1e-3
WIDTH = {1000: 1.071, 8000: 2.091, 32000: 4.182}
ITERATIONS = (20, 50, 100, 200, 500, 1000)
STIFFNESS = (1e7, 1e8, 5e8, 1e9)  # LAMMPS [N/m]
DRIVERS = {"bullet": ("pile_bullet", "sequential"), "bullet nncg": ("pile_bullet", "nncg"), "ode": ("pile_ode", "quick")}

# Scree. Springs stiffer than the scene's need no smaller steps; rigid has none. A tolerance that no step meets fixes the
# number of iterations.
STIFF = {"contact.stiffness": 1e9, "contact.damping_time": "1 ms"}
SCREE = {
    "as its scene says": {},
    "springs 1e8 N/m": {**STIFF, "contact.stiffness": 1e8, "solver.tolerance": 1e-2},
    "springs 1e9 N/m": {**STIFF, "solver.tolerance": 1e-2},
    "rigid": {"contact.feedback": "rigid", "solver.tolerance": 1e-2},
    "rigid, tolerance 3e-3": {"contact.feedback": "rigid", "solver.tolerance": 3e-3},
    "1e9 N/m, 50 iterations": {**STIFF, "solver.max_iterations": 50, "solver.tolerance": 1e-9},
    "1e9 N/m, 100 iterations": {**STIFF, "solver.max_iterations": 100, "solver.tolerance": 1e-9},
}
LARGE = ("as its scene says", "1e9 N/m, 50 iterations", "1e9 N/m, 100 iterations")  # where no peer runs

# Chrono (main branch of August 2026) on one thread of a 2-core virtual machine: processor seconds a step. Published with
# these piles, not measured here; the engine is in no package of Debian.
CHRONO = {
    "MC APGD, 50 iterations": {1000: 0.047, 8000: 0.650, 32000: 3.4},
    "MC APGD, 100 iterations": {1000: 0.088, 8000: 1.09, 32000: 5.3},
    "MC SPGQP, 50 iterations": {1000: 0.037, 8000: 0.506, 32000: 2.9},
    "core PSOR, 50 iterations": {1000: 0.036, 8000: 0.645, 32000: 4.5},
    "core PJacobi, 50 iterations": {1000: 0.038, 8000: 0.772, 32000: 5.7},
}
CHRONO_PENETRATION = {"MC APGD": 1.4e-6, "core BB": 2.5e-6, "MC BB": 6.7e-6, "MC SPGQP": 1.2e-5, "core PSOR": 1.4e-5,
                      "core PJacobi": 2.8e-5}  # largest after 50 steps of 100 iterations at N = 1000 [m]
GOALS = {"a ten-thousandth of the diameter": 1e-5, "Chrono's best at N = 1000": CHRONO_PENETRATION["MC APGD"]}  # [m]
TARGET_RATIO = 15  # what the project asks of itself against Chrono


def bed_of(n):
    half = WIDTH[n] / 2
    return spheres.Bed(0.05, 2500.0, 0.5, 0.0, (-half, -half), (half, half))


def best(run):
    """The fastest of three runs, or the first where it took more than two seconds; they differ in nothing but their time."""
    found = run()
    for _ in range(2):
        if found is None or found[1]["cpu_seconds"] > 2:
            break
        again = run()
        if again is not None and again[1]["cpu_seconds"] < found[1]["cpu_seconds"]:
            found = again
    return found


def row(engine, setting, bed, state, took):
    return {"engine": engine, "setting": setting, **took, "cpu_seconds_per_ms": took["cpu_seconds"] / (STEPS * STEP) / 1000,
            **spheres.measure(bed, state)}


def scree_rows(scree, scene, bed, folder, names):
    for name in names:
        yield row("scree", name, bed, *best(lambda: scree_runs.run(scree, scene, folder, STEPS, SCREE[name])))


def driver_rows(engine, driver, solver, start, bed, folder, limit, goal):
    target = pathlib.Path(folder) / "end.bin"
    for iterations in ITERATIONS:
        command = [driver, start, target, solver, iterations, STEPS, STEP, bed.radius, bed.density, bed.friction,
                   bed.upper[0] - bed.lower[0]]

        def run():
            try:
                done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=limit, check=True)
            except subprocess.TimeoutExpired:
                return None
            return spheres.read_records(target), json.loads(done.stdout)

        answer = best(run)
        if answer is None:
            yield {"engine": engine, "setting": f"{iterations} iterations", "over_limit": limit}
            return
        found = row(engine, f"{iterations} iterations", bed, *answer)
        yield found
        if found.get("penetration_max", 1) <= goal:
            return


def lammps_rows(data, bed, limit, goal):
    for stiffness in STIFFNESS:
        answer = best(lambda: lammps_runs.run(bed, data, stiffness, STEPS * STEP, limit))
        if answer is None:
            yield {"engine": "lammps", "setting": f"{stiffness:g} N/m", "over_limit": limit}
            return
        found = row("lammps", f"{stiffness:g} N/m", bed, *answer)
        yield found
        if found.get("penetration_max", 1) <= goal:
            return


def equal_penetration(rows):
    """goal -> engine -> its fastest setting that is at or below the goal."""
    table = {}
    for name, goal in GOALS.items():
        best = {}
        for r in rows:
            good = r.get("penetration_max", 1) <= goal
            if good and r["cpu_seconds_per_ms"] < best.get(r["engine"], {"cpu_seconds_per_ms": 1e99})["cpu_seconds_per_ms"]:
                best[r["engine"]] = {key: r[key] for key in ("setting", "cpu_seconds_per_ms", "penetration_max", "kinetic_energy")}
        table[name] = {"penetration": goal, "engines": {e: best.get(e) for e in dict.fromkeys(r["engine"] for r in rows)}}
    return table


def show(r):
    if "over_limit" in r:
        print(f"{r['engine']:<12} {r['setting']:<26} over {r['over_limit']:g} s", flush=True)
    elif r.get("lost"):
        print(f"{r['engine']:<12} {r['setting']:<26} {1e3 * r['cpu_seconds_per_ms']:>10.4g} bodies lost", flush=True)
    else:
        print(f"{r['engine']:<12} {r['setting']:<26} {1e3 * r['cpu_seconds_per_ms']:>10.4g} {r['penetration_max']:>10.3g} "
              f"{r['penetration_mean']:>10.3g} {r['kinetic_energy']:>10.3g}", flush=True)


def compare(scree, drivers, scenes, n, limit, peers=True):
    scene, bed = scenes / f"pile_{n}.yaml", bed_of(n)
    print(f"\npile of {n}, {STEPS} steps of {STEP:g} s\n{'engine':<12} {'setting':<26} {'ms per ms':>10} {'overlap m':>10} {'mean m':>10} {'energy J':>10}")
    rows, missing = [], []
    with tempfile.TemporaryDirectory() as folder:
        start = scree_runs.export(scree, scene, pathlib.Path(folder) / "start.bin")
        before = spheres.measure(bed, spheres.read_records(start))

        def take(found):
            for r in found:
                rows.append(r)
                show(r)

        take(scree_rows(scree, scene, bed, folder, SCREE if peers else LARGE))
        goal = min(GOALS.values())
        for engine, (name, solver) in DRIVERS.items() if peers else ():
            if (drivers / name).exists():
                take(driver_rows(engine, drivers / name, solver, start, bed, folder, limit, goal))
            else:
                missing.append(engine)
        if peers and lammps_runs.binary():
            take(lammps_rows(scree_runs.export(scree, scene, pathlib.Path(folder) / "start.lammps"), bed, limit, goal))
        elif peers:
            missing.append("lammps")
    chrono = {name: {"seconds_per_step": seconds[n], "over_scree": {r["setting"]: seconds[n] * STEPS / r["cpu_seconds"]
                                                                   for r in rows if r["engine"] == "scree"}}
              for name, seconds in CHRONO.items()}
    return {"bodies": n, "start": before, "rows": rows, "missing": missing, "equal_penetration": equal_penetration(rows),
            "chrono_published": chrono, "target_ratio": TARGET_RATIO}
