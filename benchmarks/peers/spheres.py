# SPDX-License-Identifier: BSD-3-Clause
"""One measure for all engines: overlaps, energy and packing of equal spheres between planes, from where they are."""
import dataclasses

import numpy as np
from scipy.spatial import cKDTree


@dataclasses.dataclass(frozen=True)
class Bed:
    """Equal spheres in a box open above; lengths in m. `lower`, `upper`: x and y of its walls; the floor is z = 0."""
    radius: float
    density: float
    friction: float
    restitution: float
    lower: tuple
    upper: tuple

    @property
    def mass(self):
        return self.density * 4 / 3 * np.pi * self.radius**3


def read_records(path):
    """Positions, velocities, spins of 13 doubles a body (scree export --format records)."""
    rows = np.fromfile(path, dtype="<f8").reshape(-1, 13)
    return rows[:, :3], rows[:, 7:10], rows[:, 10:13]


def read_dump(path):
    """The same from the last frame of a dump of LAMMPS with columns id x y z vx vy vz omegax omegay omegaz."""
    frame = path.read_text().split("ITEM: ATOMS")[-1].split("\n", 1)[1]
    rows = np.array(frame.split(), dtype=float).reshape(-1, 10)
    return rows[:, 1:4], rows[:, 4:7], rows[:, 7:10]


def overlaps(bed, x, gap=0.0):
    """Overlaps [m] of all pairs of spheres, and of spheres and walls, that are nearer than `gap`."""
    pairs = cKDTree(x).query_pairs(2 * bed.radius + gap, output_type="ndarray")
    between = 2 * bed.radius - np.linalg.norm(x[pairs[:, 0]] - x[pairs[:, 1]], axis=1)
    walls = [bed.radius - x[:, 2]]
    for axis in (0, 1):
        walls += [bed.radius - (x[:, axis] - bed.lower[axis]), bed.radius - (bed.upper[axis] - x[:, axis])]
    walls = np.concatenate(walls)
    return between, walls[walls > -gap]


def measure(bed, state):
    x, v, w = state
    if not all(np.all(np.isfinite(part)) for part in state):
        return {"lost": True}
    found = np.concatenate(overlaps(bed, x))
    inertia = 0.4 * bed.mass * bed.radius**2
    return {"penetration_max": float(found.max(initial=0)), "penetration_mean": float(found.mean()) if found.size else 0.0,
            "touching": int(found.size), "kinetic_energy": float(0.5 * (bed.mass * (v**2).sum() + inertia * (w**2).sum())),
            "mean_height": float(x[:, 2].mean()), "max_height": float(x[:, 2].max())}


def coordination(bed, state):
    """Contacts with other spheres per sphere: gaps below 1e-4 diameters."""
    between, _ = overlaps(bed, state[0], 2e-4 * bed.radius)
    return 2 * between.size / len(state[0])
