# SPDX-License-Identifier: BSD-3-Clause
"""What scripts/gpu_check runs, and how long each command may take at most; the rest of the budget is the other limit."""

# In the order in which they run. The sanitizer is last: it takes what time is left, and a check that is cut short has
# the measurements.
PARTS = ("tests", "compare", "bench", "sanitizer")

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
# Forms of the solver's loop, and the spheres at which each is timed. The persistent form is for up to 30 000 contacts
# (persistent_contacts in kernels/cone/projected_gradient_loop.cuh), 5.7 a sphere here: where a card does not hold all
# its blocks, the graph runs instead, and the program does not say so. A card of few multiprocessors may do that earlier.
LOOP_SPHERES = {"host": (2_000, 5_000, 10_000, 100_000, 1_000_000), "graph": (2_000, 5_000, 10_000, 100_000, 1_000_000),
                "persistent": (2_000, 5_000)}
LOOP_SECONDS = 20

SANITIZERS = ("memcheck", "racecheck", "initcheck", "synccheck")
# Small by their spheres, but whole runs, which do not end in time under a sanitizer. The others have their kernels but
# for the solver's graph: the step in double precision in all of them, in float in SmallRunTimesItsPasses alone.
WHOLE_RUNS = ("GpuStep.SmallPileHasTheStatisticsOfTheCpuRunLater", "GpuStep.SmallRunRepeatsItselfBitForBit",
              "GpuStep.SmallRunHasTheSameBitsWithEveryFormOfTheSolversLoop", "GpuStep.SmallRestoredRunContinuesBitForBit")
# What one of them would report without a fault.
NOT_UNDER = {"initcheck": {"GpuStep.SmallRunTimesItsPasses":
                           "times a copy of memory that nobody wrote, beside the passes"}}
