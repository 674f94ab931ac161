# SPDX-License-Identifier: BSD-3-Clause
"""Spheres on a jittered lattice fall into a box: Scree and LAMMPS to the same end, 1.5 s.

compare_large() takes scenes/settle32000.yaml as it is. compare() makes it small, 2000 spheres: the same spheres, pairs, lattice and height, 10 x 10 instead of 40 x 40
columns. Walls matter more in it than there, so its figures are not those of the large bed; both engines have the same walls.
"""
import pathlib
import tempfile

import lammps_runs
import scree_runs
import spheres

END = 1.5  # [s]
SIDE, RADIUS, SPACING, JITTER = 1.1, 0.05, 0.11, 0.004
LAYERS, ACROSS = 20, 10
BED = spheres.Bed(RADIUS, 2500.0, 0.5, 0.5, (0, 0), (SIDE, SIDE))
LARGE = spheres.Bed(RADIUS, 2500.0, 0.5, 0.5, (0, 0), (4.4, 4.4))

# Scree: the springs of the reference and steps that resolve them; softer springs; one law of impacts in larger steps.
SCREE = {
    "springs 1e7 N/m, step 0.5 ms": {"contact.impact": "spring_damper", "contact.stiffness": 1e7, "time.step": "0.5 ms"},
    "springs 5e5 N/m, step 2 ms": {"contact.impact": "spring_damper", "contact.stiffness": 5e5, "time.step": "2 ms"},
    "Newton's impacts, step 2 ms": {"contact.impact": "newton", "time.step": "2 ms"},
}
LAMMPS = (1e7, 5e5)  # [N/m]
SEEDS = (12345, 1, 2)  # of the jitter: how much beds differ by chance


def scene_text(seed):
    wall = "  - {{name: {}, material: grain, plane: {{point: {}, normal: {}}}}}\n"
    walls = (("floor", [0, 0, 0], [0, 0, 1]), ("x0", [0, 0, 0], [1, 0, 0]), ("x1", [SIDE, 0, 0], [-1, 0, 0]),
             ("y0", [0, 0, 0], [0, 1, 0]), ("y1", [0, SIDE, 0], [0, -1, 0]))
    edge = SPACING / 2 - RADIUS
    return ("name: settle2000\ngravity: [0, 0, -9.81]\n" + f"time: {{step: 0.5 ms, end: {END} s}}\n"
            "solver: {tolerance: 1e-1, max_iterations: 500}\noutput: {particles: false, walls: false}\n"
            "materials: {grain: {density: 2500 kg/m^3}}\n"
            "pairs: [{between: [grain, grain], friction: 0.5, restitution: 0.5}]\nbodies:\n"
            f"  - {{name: grains, material: grain, lattice: {{kind: sc, lower: [{edge}, {edge}, {edge}], "
            f"upper: [{SIDE - edge}, {SIDE - edge}, {LAYERS * SPACING - edge}], radius: {RADIUS}, spacing: {SPACING}, "
            f"jitter: {JITTER}, seed: {seed}, count: {ACROSS * ACROSS * LAYERS}}}}}\n"
            "boundaries:\n" + "".join(wall.format(*w) for w in walls))


def row(engine, setting, seed, state, took, bed=BED):
    return {"engine": engine, "setting": setting, "seed": seed, **took, "cpu_seconds_per_simulated_second": took["cpu_seconds"] / END,
            **spheres.measure(bed, state), "coordination": spheres.coordination(bed, state)}


def show(r):
    print(f"{r['engine']:<8} {r['setting']:<30} {r['cpu_seconds']:>8.3g} {r['penetration_max'] / (2 * RADIUS):>10.3g} "
          f"{r['mean_height']:>9.5f} {r['coordination']:>7.3f} {r['kinetic_energy']:>10.3g}", flush=True)


def head(bodies):
    print(f"\n{bodies} spheres settle, {END} s\n{'engine':<8} {'setting':<30} {'cpu s':>8} {'overlap/d':>10} "
          f"{'height m':>9} {'contacts':>7} {'energy J':>10}")


def compare_large(scree, scenes, limit):
    """The scene as it is, and LAMMPS with the springs that it names."""
    head(32000)
    with tempfile.TemporaryDirectory() as folder:
        scene = scenes / "settle32000.yaml"
        rows = [row("scree", "as its scene says", None, *scree_runs.run(scree, scene, folder), LARGE)]
        show(rows[0])
        if lammps_runs.binary():
            data = scree_runs.export(scree, scene, pathlib.Path(folder) / "start.lammps")
            answer = lammps_runs.run(LARGE, data, LAMMPS[0], END, limit)
            if answer is not None:
                rows.append(row("lammps", f"springs {LAMMPS[0]:g} N/m", None, *answer, LARGE))
                show(rows[1])
    return {"bodies": 32000, "seconds": END, "rows": rows}


def compare(scree, limit):
    rows, missing = [], []
    head(ACROSS * ACROSS * LAYERS)
    for seed in SEEDS:
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder) / "settle2000.yaml"
            scene.write_text(scene_text(seed))
            for name, settings in SCREE.items():
                rows.append(row("scree", name, seed, *scree_runs.run(scree, scene, folder, settings=settings)))
                show(rows[-1])
            if not lammps_runs.binary():
                missing = ["lammps"]
                continue
            data = scree_runs.export(scree, scene, pathlib.Path(folder) / "start.lammps")
            for stiffness in LAMMPS:
                answer = lammps_runs.run(BED, data, stiffness, END, limit)
                if answer is None:
                    rows.append({"engine": "lammps", "setting": f"springs {stiffness:g} N/m", "seed": seed, "over_limit": limit})
                else:
                    rows.append(row("lammps", f"springs {stiffness:g} N/m", seed, *answer))
                    show(rows[-1])
    return {"bodies": ACROSS * ACROSS * LAYERS, "seconds": END, "rows": rows, "missing": missing}
