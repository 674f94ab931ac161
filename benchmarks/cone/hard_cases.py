#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Hard cases for the cone solvers: operator products from zero to 1e-2, 1e-4 and 1e-6 g h, and performance profiles.

    benchmarks/cone/hard_cases.py build/release/bin/scree --output hard_cases.json --figure docs/figures/solver_profiles.svg

Each case is a scene that this script writes, run with the default solver up to the steps named below; there
`scree bench solver` solves the step's problem from zero with every solver, in double precision, on one thread, 2000
products at most. Products do not depend on the machine; seconds are printed beside them. Only the standard library is used.
"""
import argparse
import json
import math
import pathlib
import subprocess
import tempfile

TOLERANCES = (1e-2, 1e-4, 1e-6)
FLOOR = "boundaries:\n  - {name: floor, material: w, plane: {point: [0, 0, 0]}}\n"
BIN = ("boundaries:\n  - {{name: bin, material: w, box: {{container: true, lower: [-{0}, -{0}, 0], upper: [{0}, {0}, {1}], "
       "open: [+z]}}}}\n")


def head(name, friction=0.5):
    return (f"name: {name}\nprecision: double\ntime: {{step: 1 ms, end: 10 s}}\nsolver: {{max_iterations: 2000}}\n"
            "materials:\n  a: {density: 1000 kg/m^3}\n  w: {density: 1000 kg/m^3}\npairs:\n"
            f"  - {{between: [a, a], friction: {friction}}}\n  - {{between: [a, w], friction: {friction}}}\nbodies:\n")


def box(half, place, more=""):
    return f"  - {{material: a, body: {{box: {{half_extents: {list(half)}}}, position: {list(place)}{more}}}}}\n"


def boxes(masses):
    return "".join(box((.5, .5, .5), (0, 0, .5 + i), f", mass: {m:.6g} kg") for i, m in enumerate(masses))


def cloud(low, high, count, sizes):
    return (f"  - {{name: g, material: a, random: {{box: {{lower: {list(low)}, upper: {list(high)}}}, count: {count}, "
            f"sizes: {sizes}}}}}\n")


def ball(radius, place):
    return f"  - {{material: a, body: {{sphere: {{radius: {radius}}}, position: {list(place)}}}}}\n"


def cases():
    """name -> (scene, steps)"""
    found = {}
    for ratio in (1e3, 1e6):
        found[f"five boxes, top one {ratio:.0e}"] = (head("t") + boxes([1e3] * 4 + [1e3 * ratio]) + FLOOR, [10])
        found[f"five boxes, growing to {ratio:.0e}"] = (
            head("g") + boxes([1e3 * ratio ** (i / 4) for i in range(5)]) + FLOOR, [10])
    found["stack of 100 boxes"] = (head("s") + boxes([1e3] * 100) + FLOOR, [20, 100])
    found["column of 100 spheres"] = (
        head("c") + "".join(ball(.5, (0, 0, .5 + i)) for i in range(100)) + FLOOR, [20, 100])
    wall = "".join(box((.2, .1, .1), (.4 * c + .2 * (r % 2), 0, .1 + .2 * r))
                   for r in range(12) for c in range(12 - r % 2))
    found["wall of 12 x 12 bricks"] = (head("w") + wall + FLOOR, [10, 100])
    a = math.radians(75)
    wedge = "boundaries:\n" + "".join(
        f"  - {{name: {n}, material: w, plane: {{point: {list(p)}, normal: {list(d)}}}}}\n"
        for n, p, d in (("l", (0, 0, 0), (math.sin(a), 0, math.cos(a))), ("r", (0, 0, 0), (-math.sin(a), 0, math.cos(a))),
                        ("f", (0, -.3, 0), (0, 1, 0)), ("b", (0, .3, 0), (0, -1, 0))))
    found["wedge of 1500 spheres"] = (
        head("v", .4) + cloud((-.4, -.3, 1.4), (.4, .3, 5), 1500, "{constant: 0.05}") + wedge, [300, 600])
    found["size ratio 10"] = (head("q") + cloud((-.3, -.3, 0), (.3, .3, .25), 1500, "{constant: 0.02}")
                              + ball(.2, (0, 0, .5)) + BIN.format(.3, 3), [200, 300])
    found["size ratio 100"] = (head("q") + cloud((-.2, -.2, 0), (.2, .2, .08), 9000, "{constant: 0.005}")
                               + ball(.5, (0, 0, .7)) + BIN.format(.6, 3), [150])
    for mu in (0, .1, .5, 1, 1.5, 2):
        found[f"3000 spheres, mu {mu:g}"] = (
            head("m", mu) + cloud((-.3, -.3, 0), (.3, .3, 1.6), 3000, "{uniform: [0.02, 0.04]}") + BIN.format(.3, 3),
            [60, 150, 300])
    found["1 t on 10 000 spheres"] = (
        head("b") + cloud((-.5, -.5, 0), (.5, .5, 1.2), 10000, "{constant: 0.02}")
        + box((.4, .4, .2), (0, 0, 1.6), ", mass: 1000 kg") + BIN.format(.5, 4), [450])
    return found


def measure(binary, scene, step):
    command = [binary, "bench", "solver", "--scene", str(scene), "--iterations", "0", "--threads", "1", "--json",
               "--steps", str(step - 3)]  # after three steps of warming up
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"error: {' '.join(command)}: {done.stderr.strip()}")
    rows = json.loads(done.stdout)
    return {row["name"]: {"contacts": row["contacts"], "from_zero": row["from_zero"]}
            for row in rows if "from_zero" in row}


def products(trials, tolerance):
    for trial in trials:
        if trial["tolerance"] == tolerance and trial["converged"]:
            return max(1, trial["operator_products"])
    return math.inf


def profile(results, tolerance):
    """solver -> sorted ratios to the best solver of each problem that any of them solved"""
    curves = {}
    for problem in results:
        needed = {name: products(r["from_zero"], tolerance) for name, r in problem["solvers"].items()}
        best = min(needed.values())
        for name, n in needed.items():
            curves.setdefault(name, []).append(n / best if best < math.inf else math.inf)
    return {name: sorted(ratios) for name, ratios in curves.items()}


def draw(results, path):
    colours = {"conjugate": "#0072b2", "apgd": "#d55e00", "projected_jacobi": "#009e73",
               "gauss_seidel": "#cc79a7"}
    width, height, left, top, most = 250, 200, 46, 30, 16.0
    parts = []
    for k, tolerance in enumerate(TOLERANCES):
        x0, y0 = left + k * (width + 30), top
        at = lambda ratio: x0 + width * math.log(min(ratio, most)) / math.log(most)
        up = lambda share: y0 + height * (1 - share)
        parts.append(f'<rect x="{x0}" y="{y0}" width="{width}" height="{height}" fill="none" stroke="#888"/>')
        parts.append(f'<text x="{x0 + width / 2}" y="{y0 - 8}" text-anchor="middle">to {tolerance:.0e} g h</text>')
        for ratio in (1, 2, 4, 8, 16):
            parts.append(f'<text x="{at(ratio):.1f}" y="{y0 + height + 16}" text-anchor="middle">{ratio}</text>')
        for share in (0, .5, 1):
            parts.append(f'<text x="{x0 - 6}" y="{up(share) + 4:.1f}" text-anchor="end">{share:g}</text>')
        for name, ratios in profile(results, tolerance).items():
            points, n = [(x0, up(0))], len(ratios)
            for i, ratio in enumerate(ratios):
                if ratio > most:
                    break
                points += [(at(ratio), points[-1][1]), (at(ratio), up((i + 1) / n))]
            points.append((x0 + width, points[-1][1]))
            line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colours[name]}" stroke-width="2"/>')
    y = top + height + 44
    for k, (name, colour) in enumerate(colours.items()):
        parts.append(f'<line x1="{left + 180 * k}" y1="{y - 4}" x2="{left + 180 * k + 24}" y2="{y - 4}" stroke="{colour}" '
                     f'stroke-width="2"/><text x="{left + 180 * k + 30}" y="{y}">{name}</text>')
    parts.append(f'<text x="{left}" y="{y + 20}">products over those of the best; share of the problems</text>')
    total = left + 3 * (width + 30) + 30
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{y + 36}" font-family="sans-serif" '
                    f'font-size="12">\n<title>Performance profiles of the cone solvers</title>\n<rect width="100%" height="100%" fill="white"/>\n'
                    + "\n".join(parts) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--output", type=pathlib.Path, help="all figures, as JSON")
    parser.add_argument("--figure", type=pathlib.Path, help="performance profiles, as SVG")
    parser.add_argument("--only", help="cases whose name contains this")
    arguments = parser.parse_args()
    results = []
    print("| problem | contacts | solver | 1e-2 | 1e-4 | 1e-6 |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, (text, steps)) in enumerate(cases().items()):
            if arguments.only and arguments.only not in name:
                continue
            scene = pathlib.Path(folder) / f"case_{number}.yaml"
            scene.write_text(text)
            for step in steps:
                solvers = measure(arguments.binary, scene, step)
                results.append({"problem": name, "step": step, "solvers": solvers})
                for solver, r in solvers.items():
                    cells = [products(r["from_zero"], t) for t in TOLERANCES]
                    print(f"| {name}, step {step} | {r['contacts']} | {solver} | "
                          + " | ".join("-" if n == math.inf else str(n) for n in cells) + " |", flush=True)
    if arguments.output:
        arguments.output.write_text(json.dumps(results, indent=1) + "\n")
    if arguments.figure:
        draw(results, arguments.figure)


if __name__ == "__main__":
    main()
