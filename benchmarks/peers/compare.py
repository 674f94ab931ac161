#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Scree and its peers on the same problems, in one run, on one machine, one thread each.

    benchmarks/peers/compare.py build/release/bin/scree [--output FILE.json] [--parts friction,piles,settling] [--install]

Needs Python 3 with NumPy and SciPy. Peers that are not installed are left out and named; --install asks apt-get for them
(Debian: python3-siconos, lammps, libbullet-dev, libode-dev). Bullet and ODE run through drivers that CMake builds beside
`scree` where it finds the libraries (pile_bullet, pile_ode; target `peers`). Parts:

* friction: files of friction problems, Siconos' solvers (friction_solvers.py);
* piles: settled beds go on for 50 steps; Bullet, ODE, LAMMPS, published figures of Chrono (piles.py);
* settling: 2000 spheres fall into a box; LAMMPS (settling.py);
* settle32000: the same with the scene's 32 000, for a quarter of an hour; not by default.

Times of beds are processor seconds of the steps alone: no reading, no writing. docs/peers.md says what they do not compare.
"""
import argparse
import json
import pathlib
import sys

import machine

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("friction", "piles", "settling")
LONG_PARTS = ("settle32000",)  # a quarter of an hour; only when asked for


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scree", type=pathlib.Path, help="the launcher")
    parser.add_argument("--output", type=pathlib.Path, help="write all figures as JSON")
    parser.add_argument("--parts", default=",".join(PARTS), help="some of " + ",".join(PARTS + LONG_PARTS))
    parser.add_argument("--sizes", default="1000,8000,32000", help="of the piles")
    parser.add_argument("--peers-up-to", type=int, default=8000, help="largest pile that peers run")
    parser.add_argument("--drivers", type=pathlib.Path, help="folder of pile_bullet and pile_ode (default: that of scree)")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one run of a peer")
    parser.add_argument("--solve-limit", type=float, default=20.0, help="seconds for one friction problem")
    parser.add_argument("--install", action="store_true", help="install missing peers with apt-get first")
    arguments = parser.parse_args()
    parts = arguments.parts.split(",")
    if unknown := set(parts) - set(PARTS + LONG_PARTS):
        parser.error("--parts: not known: " + ", ".join(sorted(unknown)))
    if arguments.install:
        machine.install()
    machine.one_thread()
    try:
        import piles
        import settling
    except ImportError as error:
        sys.exit(f"error: {error}; Debian has it in python3-numpy and python3-scipy")

    scree = str(arguments.scree.resolve())
    drivers = (arguments.drivers or arguments.scree).resolve()
    drivers = drivers if drivers.is_dir() else drivers.parent
    result = machine.describe(scree)
    print("\n".join(f"{key}: {value}" for key, value in result.items()))

    def keep():
        """After each part: a run that is stopped has told what it found."""
        if arguments.output:
            arguments.output.write_text(text_of(result))

    if "piles" in parts:
        result["piles"] = []
        for n in arguments.sizes.split(","):
            result["piles"].append(piles.compare(scree, drivers, ROOT / "scenes", int(n), arguments.limit,
                                                 int(n) <= arguments.peers_up_to))
            keep()
    if "settling" in parts:
        result["settling"] = settling.compare(scree, 4 * arguments.limit)
        keep()
    if "settle32000" in parts:
        result["settle32000"] = settling.compare_large(scree, ROOT / "scenes", 30 * arguments.limit)
        keep()
    if "friction" in parts:
        if result["peers"]["siconos"] or importable("siconos"):
            import friction_solvers
            result["friction"] = friction_solvers.compare(scree, ROOT / "tests/data/fc3d", arguments.solve_limit)
        else:
            print("siconos: not installed, friction problems left out")
    keep()


def importable(module):
    try:
        __import__(module)
    except ImportError:
        return False
    return True


def text_of(value, depth=0):
    """JSON with one line for each innermost object."""
    pad = " " * (depth + 1)
    if isinstance(value, dict) and any(isinstance(v, (dict, list)) for v in value.values()):
        items = [f"{pad}{json.dumps(str(k))}: {text_of(v, depth + 1)}" for k, v in value.items()]
        return "{\n" + ",\n".join(items) + "\n" + " " * depth + "}" + ("\n" if depth == 0 else "")
    if isinstance(value, list) and any(isinstance(v, (dict, list)) for v in value):
        return "[\n" + ",\n".join(pad + text_of(v, depth + 1) for v in value) + "\n" + " " * depth + "]"
    return json.dumps(value)


if __name__ == "__main__":
    main()
