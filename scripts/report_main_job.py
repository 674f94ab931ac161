#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints what a run measured beside what it should have measured.

    scripts/report_main_job.py OUT [--expected FILE]

OUT is the folder of a run. The expected values stand in scenes/expected/NAME.json, NAME being the last part of OUT, and
nowhere else. Such a file holds {"title": ..., "values": [...]}; each value has

    label, unit         what is printed
    one of              where the measured value comes from:
      path                "probes.bulk.fraction": keys of summary.json, with dots between
      sum                 several such paths, added
      series, at          column of series.csv, and the time [s] whose nearest row is taken
    expected + tolerance (or relative_tolerance), at_most, at_least: any of them; none only prints
    source              where the expected value comes from

Exit code: 0 all within, 1 a value is outside or missing, 2 bad input.
"""

import argparse
import csv
import json
import math
import pathlib
import sys


class Missing(Exception):
    """A measured value that the run did not write."""


def look_up(summary, path):
    value = summary
    for key in path.split("."):
        if not isinstance(value, dict) or key not in value:
            raise Missing(f"summary.json has no {path}")
        value = value[key]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Missing(f"{path} is no number")
    return float(value)


def from_series(folder, column, time):
    try:
        with open(folder / "series.csv", newline="", encoding="utf-8") as table:
            rows = list(csv.DictReader(table))
    except OSError:
        raise Missing("there is no series.csv") from None
    if not rows or column not in rows[0]:
        raise Missing(f"series.csv has no {column}")
    clock = next(iter(rows[0]))
    nearest = min(rows, key=lambda row: abs(float(row[clock]) - time))
    step = abs(float(rows[-1][clock]) - float(rows[0][clock])) / max(1, len(rows) - 1)
    if abs(float(nearest[clock]) - time) > step:
        raise Missing(f"series.csv has no row near {time:g} s")
    return float(nearest[column])


def measure(item, summary, folder):
    if "path" in item:
        return look_up(summary, item["path"])
    if "sum" in item:
        return math.fsum(look_up(summary, path) for path in item["sum"])
    return from_series(folder, item["series"], item["at"])


def judge(item, value):
    """The expectation as text, and whether the value meets it (None: there is none)."""
    texts, verdicts = [], []
    if "expected" in item:
        expected = item["expected"]
        tolerance = item.get("tolerance", item.get("relative_tolerance", 0.0) * abs(expected))
        texts.append(f"{expected:.6g} +- {tolerance:.3g}")
        verdicts.append(value is not None and abs(value - expected) <= tolerance)
    if "at_most" in item:
        texts.append(f"<= {item['at_most']:.6g}")
        verdicts.append(value is not None and value <= item["at_most"])
    if "at_least" in item:
        texts.append(f">= {item['at_least']:.6g}")
        verdicts.append(value is not None and value >= item["at_least"])
    return " and ".join(texts) or "-", all(verdicts) if verdicts else None


def table(rows):
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def report(summary, expected, folder):
    rows, notes, good = [("quantity", "measured", "expected", "", "source")], [], True
    for item in expected["values"]:
        unit = f" [{item['unit']}]" if item.get("unit") else ""
        try:
            value, measured = measure(item, summary, folder), None
            if not math.isfinite(value):
                raise Missing("the value is not finite")
            measured = f"{value:.6g}"
        except Missing as problem:
            value, measured = None, "missing"
            notes.append(f"{item['label']}: {problem}")
        wanted, met = judge(item, value)
        good = good and met is not False and value is not None
        if value is None:
            verdict = "MISSING"
        else:
            verdict = {None: "", True: "ok", False: "OUTSIDE"}[met]
        rows.append((item["label"] + unit, measured, wanted, verdict, item.get("source", "")))

    bodies = summary.get("bodies", {})
    print(expected.get("title", folder.name))
    print(
        f"{summary.get('status')}: {summary.get('steps')} steps to t = {summary.get('time')} s in "
        f"{summary.get('wall_seconds')} s on {summary.get('backend')} ({summary.get('device')}, "
        f"{summary.get('threads')} threads); {bodies.get('final')} bodies, {bodies.get('lost')} lost"
    )
    end = summary.get("settings", {}).get("time", {}).get("end")
    if summary.get("status") != "done" or bodies.get("lost"):
        good = False
        notes.append("the run is not complete")
    elif isinstance(end, (int, float)) and summary.get("time", 0.0) < 0.999 * end:
        good = False
        notes.append(f"the run was ended at {summary.get('time')} s of {end} s: values of the end are not to be had")
    table(rows)
    for note in notes:
        print("note: " + note)
    print("all values are within their tolerances" if good else "NOT all values are within their tolerances")
    return good


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as problem:
        print(f"error: {path}: {problem}", file=sys.stderr)
        sys.exit(2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, metavar="OUT", help="folder of a run")
    parser.add_argument("--strict", action="store_true", help="exit 1 when a value is outside its tolerance")
    parser.add_argument("--expected", type=pathlib.Path, help="file of expected values")
    arguments = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parent.parent
    folder_of_expected = root / "scenes" / "expected"
    expected = arguments.expected or folder_of_expected / f"{arguments.folder.resolve().name}.json"
    if not expected.exists():
        known = ", ".join(sorted(file.stem for file in folder_of_expected.glob("*.json")))
        print(f"error: there are no expected values at {expected} [they are there for: {known}]", file=sys.stderr)
        sys.exit(2)
    good = report(load(arguments.folder / "summary.json"), load(expected), arguments.folder)
    sys.exit(1 if arguments.strict and not good else 0)


if __name__ == "__main__":
    main()
