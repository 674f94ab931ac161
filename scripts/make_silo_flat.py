#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the flat silo floor with its orifice, and the plug that closes it, as triangle text (nine numbers a line).

A ring of 64 sectors from the orifice (radius 0.04 m) to 0.16 m, and a fan of 64 triangles that fills the orifice, both
at z = 0. The silo wall of the scene (radius 0.12 m) stands on the ring.
"""

import argparse
import gzip
import math
import pathlib

SECTORS = 64
INNER, OUTER = 0.04, 0.16  # [m]


def circle(radius):
    angles = [2.0 * math.pi * k / SECTORS for k in range(SECTORS)]
    points = [(radius * math.cos(a), radius * math.sin(a), 0.0) for a in angles]
    return points + points[:1]


def ring():
    inner, outer = circle(INNER), circle(OUTER)
    for k in range(SECTORS):
        yield inner[k], outer[k], outer[k + 1]
        yield inner[k], outer[k + 1], inner[k + 1]


def disc():
    inner = circle(INNER)
    for k in range(SECTORS):
        yield (0.0, 0.0, 0.0), inner[k], inner[k + 1]


def write(path, triangles):
    lines = [" ".join(f"{0.0 if abs(c) < 1e-12 else c:.9g}" for v in t for c in v) for t in triangles]
    text = ("\n".join(lines) + "\n").encode("ascii")
    with open(path, "wb") as raw, gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=raw, mtime=0) as out:
        out.write(text)
    print(f"{path}: {len(lines)} triangles")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("scenes/data"), help="folder")
    folder = parser.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "silo_flat_floor.txt.gz", ring())
    write(folder / "silo_flat_plug.txt.gz", disc())


if __name__ == "__main__":
    main()
