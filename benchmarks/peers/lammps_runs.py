# SPDX-License-Identifier: BSD-3-Clause
"""Equal spheres in a box by LAMMPS: gran/hooke/history, from a data file of `scree export`."""
import math
import re
import shutil
import subprocess
import tempfile
import pathlib

import spheres

INPUT = """units si
atom_style sphere
boundary f f f
newton off
comm_modify vel yes
read_data {data}
change_box all z final -0.2 {top}
neighbor 0.015 bin
neigh_modify delay 0 every 10 check yes
pair_style gran/hooke/history {law}
pair_coeff * *
timestep {dt}
fix g all gravity 9.81 vector 0 0 -1
fix nve all nve/sphere
fix wx all wall/gran hooke/history {law} xplane {x0} {x1}
fix wy all wall/gran hooke/history {law} yplane {y0} {y1}
fix wz all wall/gran hooke/history {law} zplane 0 NULL
thermo_modify lost error
run {steps}
write_dump all custom end.dump id x y z vx vy vz omegax omegay omegaz modify sort id format float %.17g
"""


def binary():
    return shutil.which("lmp")


def law(bed, stiffness):
    """The words of gran/hooke/history and a step: a fortieth of the time of a collision of two spheres."""
    e = max(bed.restitution, 0.01)
    damping = -math.log(e) / math.hypot(math.pi, math.log(e))
    frequency = math.sqrt(stiffness / (bed.mass / 2))
    normal = 2 * damping * frequency
    words = f"{stiffness:.9g} {2 / 7 * stiffness:.9g} {normal:.9g} {normal / 2:.9g} {bed.friction} 1"
    return words, math.pi / (frequency * math.sqrt(1 - damping**2)) / 40


def run(bed, data, stiffness, seconds, limit):
    """Runs the data file for `seconds`; the state at the end and what it took, or None past the limit."""
    words, dt = law(bed, stiffness)
    steps = math.ceil(seconds / dt)
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "in.lammps"
        script.write_text(INPUT.format(data=pathlib.Path(data).resolve(), law=words, dt=seconds / steps, steps=steps,
                                       top=6, x0=bed.lower[0], x1=bed.upper[0], y0=bed.lower[1], y1=bed.upper[1]))
        try:
            done = subprocess.run([binary(), "-in", script.name, "-log", "none"], cwd=folder, capture_output=True,
                                  text=True, timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode:
            raise SystemExit(f"error: LAMMPS: {done.stdout[-500:]} {done.stderr[-500:]}")
        wall = float(re.search(r"Loop time of (\S+)", done.stdout).group(1))
        share = float(re.search(r"([0-9.]+)% CPU use", done.stdout).group(1)) / 100
        state = spheres.read_dump(pathlib.Path(folder) / "end.dump")
    return state, {"steps": steps, "step": seconds / steps, "cpu_seconds": wall * min(share, 1), "wall_seconds": wall}
