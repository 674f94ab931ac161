# SPDX-License-Identifier: BSD-3-Clause
"""What the commands of scripts/gpu_check print, and the lines of its summary."""
import json
import os
import platform
import re
import shutil
from pathlib import Path

from gpu_check_child import say


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


def processor_name():
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def find_cuda_tool(name):
    """A tool of the CUDA toolkit: on the PATH, else in the toolkit's folder."""
    for home in (None, os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"):
        tool = shutil.which(name) if home is None else shutil.which(name, path=os.path.join(home, "bin"))
        if tool:
            return tool
    return None


def parse_json(text):
    """The JSON that a command printed, also where other lines stand before it; None where there is none."""
    text = text.strip()
    for begin in sorted({0} | {at for at in (text.find("{"), text.find("[")) if at >= 0}):
        try:
            return json.loads(text[begin:])
        except ValueError:
            continue
    return None


def find_list(node, key):
    """The first list under `key`, at any depth."""
    if isinstance(node, dict):
        if isinstance(node.get(key), list):
            return node[key]
        node = list(node.values())
    if isinstance(node, list):
        for child in node:
            found = find_list(child, key)
            if found is not None:
                return found
    return None


def find_text(node, key):
    if isinstance(node, dict):
        if isinstance(node.get(key), str):
            return node[key]
        node = list(node.values())
    if isinstance(node, list):
        for child in node:
            found = find_text(child, key)
            if found:
                return found
    return ""


def tests_in(program, variables=None):
    """The tests of a Google Test program: per group (suite, with the prefix of its parameters) their names. None where
    the program does not list them."""
    listed = say([program, "--gtest_list_tests"], variables)
    if listed is None:
        return None
    groups, names = {}, None
    for line in listed.splitlines():
        words = line.split("  #")[0].rstrip()
        if words.startswith("  ") and names is not None:
            names.append(words.strip())
        elif words.endswith(".") and " " not in words:
            names = groups.setdefault(words[:-1], [])
    return groups


def selected(groups, wanted):
    """Of these groups the tests whose full name is wanted: per group their names and the filter that takes just them."""
    chosen = {}
    for group, names in groups.items():
        taken = [name for name in names if wanted(f"{group}.{name}")]
        if taken:
            whole = len(taken) == len(names)
            chosen[group] = (taken, f"{group}.*" if whole else ":".join(f"{group}.{name}" for name in taken))
    return chosen


def count_tests(report, output, expected):
    """Counts of a Google Test JSON report; where there is none, because the program was stopped or broke down, of the
    lines that it printed until then; not_reached are the others."""
    try:
        suites = json.loads(report.read_text())["testsuites"]
    except (OSError, ValueError, KeyError):
        ended = {word: len(re.findall(rf"^\[ +{word} +\] .*\(\d+ ms\)$", output, re.MULTILINE))
                 for word in ("OK", "FAILED", "SKIPPED")}
        return {"expected": expected, "passed": ended["OK"], "failed": ended["FAILED"], "skipped": ended["SKIPPED"],
                "not_reached": max(expected - sum(ended.values()), 0),
                "last": (re.findall(r"^\[ RUN +\] (.*)$", output, re.MULTILINE) or [""])[-1]}
    counts = {"expected": expected, "passed": 0, "failed": 0, "skipped": 0, "failures": []}
    for suite in suites:
        for test in suite["testsuite"]:
            if test.get("failures"):
                counts["failed"] += 1
                counts["failures"].append({"test": f"{suite['name']}.{test['name']}",
                                           "said": test["failures"][0].get("failure", "")[:500]})
            elif test.get("result") == "SKIPPED":
                counts["skipped"] += 1
            elif test.get("status") == "RUN":
                counts["passed"] += 1
    return counts


def sanitizer_found(text):
    """Whether compute-sanitizer has reported an error, also before it came to its summary."""
    return re.search(r"^=+ (Invalid|Error|Uninitialized|Barrier error|Misaligned)", text, re.MULTILINE) is not None


def bad_ones(records):
    bad = [record["name"] for record in records if record["status"] != "passed"]
    return f" ({', '.join(bad[:3])}{', ...' if len(bad) > 3 else ''} did not pass)" if bad else ""


def tally(records):
    if not records:
        return "not asked for, or nothing to run"
    words = {"passed": "passed", "failed": "failed", "not_run": "not run for lack of time", "unavailable": "unavailable"}
    counts = [f"{number} {word}" for status, word in words.items()
              if (number := sum(record["status"] == status for record in records))]
    return ", ".join(counts) + bad_ones(records)


def bench_line(record):
    if record["status"] != "passed":
        why = filter(None, (record.get("why"), last_line(record.get("said", ""))))
        return f"{record['status'].replace('_', ' ')}: {', '.join(why)[:90]}"
    rows = record["result"] if isinstance(record["result"], list) else find_list(record["result"], "benchmarks") or []
    told = []
    for row in rows:
        name = str(row.get("name", ""))
        if "step" in name and row.get("seconds"):
            told.append(f"{name} {row['seconds'] * 1e3:.3g} ms")
        elif "solver" in name and row.get("contact_iterations_per_second"):
            share = f" ({row['fraction_of_copy']:.0%} of copy)" if row.get("fraction_of_copy") else ""
            told.append(f"{name} {row['contact_iterations_per_second'] / 1e9:.3g} G contact-iterations/s{share}")
    return "spheres: " + ("; ".join(told[:3]) or f"{len(rows)} measurements")
