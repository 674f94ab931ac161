# SPDX-License-Identifier: BSD-3-Clause
"""What scripts/gpu_check runs, and how long each command may take at most; the rest of the budget is the other limit."""

PARTS = ("tests", "sanitizer", "compare", "bench")

TEST_SECONDS, SANITIZER_SECONDS, COMPARE_SECONDS = 60, 45, 60  # Per command; tests: per group.
LONG_TESTS = {"GpuStep": 120}  # Groups that may take longer.

# Scene, number of steps that both backends run, and what is set. Few steps: nearby trajectories of a granular flow part
# exponentially.
COMPARED = (
    ("pile_1000", 50, ()),
    ("pile_8000", 20, ()),
    ("pile_32000", 10, ()),
    ("settle32000", 10, ()),
    ("drum_smooth", 10, ()),
    ("drum_mesh", 10, ()),
    ("penetration", 10, ()),
    ("silo_small", 10, ()),
    ("silo_mesh", 10, ()),
    ("solids", 20, ()),
    ("settle_boxes", 10, ()),
    ("pile_8000", 20, ("solver.kind=gauss_seidel",)),
    ("solids", 20, ("solver.kind=gauss_seidel",)),
    ("wrecking_ball", 20, ()),
    ("rover", 20, ()),
)
# Spheres, and the most seconds that the benchmark of that size may take.
BENCHED = ((10_000, 40), (100_000, 40), (1_000_000, 90), (10_000_000, 150))
# Forms of the solver's loop, and the spheres at which each is timed.
LOOP_SPHERES = {form: (2_000, 10_000, 100_000, 1_000_000) for form in ("host", "graph", "persistent")}
LOOP_SECONDS = 20

SANITIZERS = ("memcheck", "racecheck", "initcheck", "synccheck")
WHOLE_RUNS, NOT_UNDER = (), {}  # Tests that no sanitizer, or that one of them, leaves out.
