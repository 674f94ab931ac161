#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Siconos' friction solvers and `scree solve` on the same files, judged by one residual.

    benchmarks/peers/friction_solvers.py build/release/bin/scree tests/data/fc3d [--output FILE.json]

Needs Python 3 with NumPy, SciPy and Siconos' bindings (Debian: python3-siconos). What is compared:

* Each solver starts cold, on one thread, with W divided by its mean diagonal (Siconos' penalties expect entries near 1).
* A run counts as solved when E_q of the r that it returned, computed here from the file's own numbers, meets the
  tolerance. What a solver says of itself does not count.
* Siconos stops by another residual. It is asked for the tolerance, then for a tenth and for a hundredth of it, and the
  first answer that meets E_q is taken with the time of that run alone.
* Times are processor seconds of the solve without reading the file: the best of three runs (one, where it took more than
  half a second).
"""
import argparse
import gzip
import json
import os
import pathlib
import re
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.sparse as sparse

import machine

TOLERANCES = (1e-4, 1e-8)
SOLVERS = {
    "nsgs": ("SICONOS_FRICTION_3D_NSGS", 50000),
    "newton_ac": ("SICONOS_FRICTION_3D_NSN_AC", 1000),
    "newton_fb": ("SICONOS_FRICTION_3D_NSN_FB", 1000),
    "prox": ("SICONOS_FRICTION_3D_PROX", 1000),
    "admm": ("SICONOS_FRICTION_3D_ADMM", 50000),
    "aclm": ("SICONOS_FRICTION_3D_ACLMFP", 1000),
}


def read_text(path):
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt") as file:
        return file.read()


def parse(text):
    """(W, q, mu) of a three-dimensional problem with dense W or sparse blocks."""
    words = iter(text.split())
    whole = lambda: int(next(words))
    reals = lambda n: np.array([float(next(words)) for _ in range(n)])
    if whole() != 3:
        raise ValueError("not three-dimensional")
    contacts, storage, rows, columns = whole(), whole(), whole(), whole()
    if storage == 0:
        whole(), whole()
        w = sparse.csr_matrix(reals(rows * columns).reshape(columns, rows).T)
    elif storage == 1:
        blocks, block_rows, block_columns = whole(), whole(), whole()
        for _ in range(block_rows + block_columns):
            whole()
        pointers, stored = whole(), whole()
        first = [whole() for _ in range(pointers)]
        column = [whole() for _ in range(stored)]
        values = np.empty((blocks, 3, 3))
        for k in range(blocks):
            whole()
            values[k] = reals(9).reshape(3, 3).T
        w = sparse.bsr_matrix((values, column, first), shape=(rows, columns)).tocsr()
    else:
        raise ValueError("storage of W is neither dense nor sparse blocks")
    return w, reals(rows), reals(contacts)


def project(x, mu):
    """P_K of each contact [n, t1, t2]; rows of three."""
    n, t = x[:, 0], x[:, 1:]
    length = np.linalg.norm(t, axis=1)
    inside, polar = length <= mu * n, mu * length <= -n
    normal = (n + mu * length) / (1 + mu * mu)
    scale = np.divide(mu * normal, length, out=np.zeros_like(length), where=length > 0)
    face = np.column_stack([normal, scale[:, None] * t])
    return np.where(inside[:, None], x, np.where(polar[:, None], 0.0, face))


def residual(problem, r):
    """E_q = |w r - P_K(w r - u^)| / |q|, w = tr(W_ii) / 3 per contact."""
    w, q, mu = problem
    if not np.all(np.isfinite(r)):
        return float("inf")
    scale = w.diagonal().reshape(-1, 3).sum(axis=1) / 3
    scale[scale <= 0] = 1
    u = (w @ r + q).reshape(-1, 3)
    u[:, 0] += mu * np.linalg.norm(u[:, 1:], axis=1)
    scaled = scale[:, None] * r.reshape(-1, 3)
    return float(np.linalg.norm(scaled - project(scaled - u, mu)) / np.linalg.norm(q))


def in_a_child(work, seconds):
    """What `work()` returns, computed in a forked process; None when it crashes or takes longer."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        try:
            os.write(writing, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    text, end = b"", time.monotonic() + seconds
    while select.select([reading], [], [], max(0.0, end - time.monotonic()))[0]:
        piece = os.read(reading, 1 << 20)
        if not piece:
            break
        text += piece
    os.close(reading)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return json.loads(text) if text else None


def run_siconos(numerics, file, problem, solver, tolerance):
    """Best of three; a fresh problem each time, since solvers keep factors inside of it."""
    name, limit = SOLVERS[solver]
    unit = float(np.mean(problem[0].diagonal()))
    best = None
    for _ in range(3):
        data = numerics.frictionContact_new_from_filename(str(file))
        numerics.NM_scal(1.0 / unit, data.M)
        options = numerics.SolverOptions(getattr(numerics, name))
        options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = limit
        options.dparam[numerics.SICONOS_DPARAM_TOL] = tolerance
        r, u = np.zeros(problem[1].size), np.zeros(problem[1].size)
        begin = time.process_time()
        numerics.fc3d_driver(data, r, u, options)
        seconds = time.process_time() - begin
        if best is None or seconds < best[0]:
            best = (seconds, residual(problem, r / unit))
        if seconds > 0.5:
            break
    return best


def best_of_siconos(numerics, file, problem, solver, tolerance, limit):
    for share in (1.0, 0.1, 0.01):
        answer = in_a_child(lambda: run_siconos(numerics, file, problem, solver, share * tolerance), limit)
        if answer is None:
            return {"solved": False, "residual": None, "seconds": None}
        seconds, reached = answer
        if reached <= tolerance:
            return {"solved": True, "residual": reached, "seconds": seconds}
    return {"solved": False, "residual": reached, "seconds": seconds}


def best_of_scree(binary, file, problem, tolerance, limit):
    best = None
    for _ in range(3):
        try:
            out = subprocess.run([binary, "solve", file, "--json", "--tolerance", str(tolerance)], timeout=limit,
                                 capture_output=True, text=True, check=False).stdout
        except subprocess.TimeoutExpired:
            return {"solved": False, "residual": None, "seconds": None}
        answer = json.loads(out)
        if best is None or answer["cpu_seconds"] < best["cpu_seconds"]:
            best = answer
        if answer["cpu_seconds"] > 0.5:
            break
    reached = residual(problem, np.array(best["r"]))
    return {"solved": reached <= tolerance, "residual": reached, "seconds": best["cpu_seconds"]}


def summary(rows, tolerance):
    """Per solver: problems solved; medians over the problems that it solved, beside scree's on the same."""
    table = []
    ours = {r["file"]: r for r in rows if r["tolerance"] == tolerance and r["solver"] == "scree"}
    for solver in ["scree", *SOLVERS]:
        mine = [r for r in rows if r["tolerance"] == tolerance and r["solver"] == solver]
        common = [r for r in mine if r["solved"] and ours[r["file"]]["solved"]]
        median = statistics.median(r["seconds"] for r in common) if common else None
        beside = statistics.median(ours[r["file"]]["seconds"] for r in common) if common else None
        table.append({"tolerance": tolerance, "solver": solver, "solved": sum(r["solved"] for r in mine), "of": len(mine),
                      "median_seconds": median, "scree_median_seconds": beside,
                      "scree_over_solver": beside / median if common else None})
    return table


def compare(scree, folder, limit):
    """Both on all files of the folder: rows as they come, then the table. What goes into the JSON."""
    try:
        from siconos import numerics
    except ImportError as error:
        sys.exit(f"Siconos' Python bindings are missing ({error}); Debian has them in python3-siconos")
    numerics.numerics_set_verbose(0)

    rows = []
    files = sorted(f for f in folder.iterdir() if re.search(r"\.dat(\.gz)?$", f.name))
    with tempfile.TemporaryDirectory() as scratch:
        for source in files:
            text = read_text(source)
            problem = parse(text)
            name = re.sub(r"\.dat(\.gz)?$", "", source.name)
            file = os.path.join(scratch, "problem.dat")
            pathlib.Path(file).write_text(text)
            for tolerance in TOLERANCES:
                for solver in ["scree", *SOLVERS]:
                    answer = (best_of_scree(scree, file, problem, tolerance, limit) if solver == "scree" else
                              best_of_siconos(numerics, file, problem, solver, tolerance, limit))
                    rows.append({"file": name, "contacts": problem[2].size, "tolerance": tolerance, "solver": solver,
                                 **answer})
                cells = "  ".join(
                    f"{r['solver']} {'' if r['solved'] else 'x '}{(r['seconds'] or float('nan')) * 1e3:.3g}"
                    for r in rows[-1 - len(SOLVERS):])
                print(f"{name[:32]:<32} {tolerance:g} [ms]: {cells}", flush=True)
    tables = [line for tolerance in TOLERANCES for line in summary(rows, tolerance)]
    print(f"\n{'tolerance':>9} {'solver':<10} {'solved':>8} {'median ms':>10} {'scree ms':>10} {'scree / solver':>15}")
    for line in tables:
        figures = [f"{1e3 * line[k]:.4g}" if line[k] is not None else "-" for k in ("median_seconds", "scree_median_seconds")]
        ratio = f"{line['scree_over_solver']:.3g}" if line["scree_over_solver"] is not None else "-"
        print(f"{line['tolerance']:>9g} {line['solver']:<10} {line['solved']:>3} / {line['of']:<2} {figures[0]:>10}"
              f" {figures[1]:>10} {ratio:>15}")
    return {"limit_seconds": limit, "summary": tables, "runs": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scree", help="the launcher")
    parser.add_argument("folder", type=pathlib.Path, help="files *.dat and *.dat.gz")
    parser.add_argument("--output", help="write all figures as JSON")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one solve")
    arguments = parser.parse_args()
    machine.one_thread()
    found = compare(arguments.scree, arguments.folder, arguments.limit)
    if arguments.output:
        head = {**machine.describe(arguments.scree), "limit_seconds": arguments.limit, "summary": found["summary"]}
        lines = ",\n".join("  " + json.dumps(row) for row in found["runs"])
        pathlib.Path(arguments.output).write_text(f'{json.dumps(head, indent=1)[:-2]},\n "runs": [\n{lines}\n ]\n}}\n')


if __name__ == "__main__":
    main()
