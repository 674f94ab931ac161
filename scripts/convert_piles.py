#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Converts settled beds from binary records to the CSV that a scene reads.

Input   pile_N.bin: N records of 13 little-endian doubles: position x y z [m], quaternion w x y z (body to world),
        velocity x y z [m/s], angular velocity x y z in *body* axes [rad/s].
Output  pile_N.csv.gz: header id,x,y,z,radius,vx,vy,vz,wx,wy,wz; angular velocity in *world* axes; 17 significant
        digits, so that every double survives. The orientation of a sphere is left out.

The output depends on the input only: the gzip header carries neither a name nor a time.
"""

import argparse
import gzip
import math
import pathlib
import struct
import sys

RECORD = struct.Struct("<13d")
HEADER = "id,x,y,z,radius,vx,vy,vz,wx,wy,wz"


def rotate(q, v):
    """Rotates v by the unit quaternion q = (w, x, y, z)."""
    w, x, y, z = q
    tx = 2.0 * (y * v[2] - z * v[1])
    ty = 2.0 * (z * v[0] - x * v[2])
    tz = 2.0 * (x * v[1] - y * v[0])
    return (
        v[0] + w * tx + y * tz - z * ty,
        v[1] + w * ty + z * tx - x * tz,
        v[2] + w * tz + x * ty - y * tx,
    )


def rows(data, radius, name):
    if len(data) == 0 or len(data) % RECORD.size:
        raise ValueError(f"{name}: {len(data)} bytes, not a positive multiple of {RECORD.size}")
    for number, record in enumerate(RECORD.iter_unpack(data), start=1):
        position, quaternion = record[0:3], record[3:7]
        velocity, spin = record[7:10], record[10:13]
        length = math.sqrt(sum(c * c for c in quaternion))
        if not all(map(math.isfinite, record)) or abs(length - 1.0) > 1e-6:
            raise ValueError(f"{name}: record {number} is not finite or its quaternion has length {length:g}")
        world = rotate([c / length for c in quaternion], spin)
        values = (*position, radius, *velocity, *world)
        yield f"{number}," + ",".join(f"{v:.17g}" for v in values)


def convert(source, target, radius):
    lines = [HEADER, *rows(source.read_bytes(), radius, source)]
    text = ("\n".join(lines) + "\n").encode("ascii")
    with open(target, "wb") as raw, gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=raw, mtime=0) as out:
        out.write(text)
    return len(lines) - 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="pile_N.bin")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("scenes/data"), help="folder")
    parser.add_argument("--radius", type=float, default=0.05, help="radius of every sphere [m]")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    for source in arguments.files:
        target = arguments.output / (source.stem + ".csv.gz")
        try:
            count = convert(source, target, arguments.radius)
        except (OSError, ValueError) as problem:
            sys.exit(f"error: {problem}")
        print(f"{target}: {count} spheres")


if __name__ == "__main__":
    main()
