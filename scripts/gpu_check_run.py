#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The part of scripts/gpu_check that runs once a built tree starts; see there for what it does and its exit codes.

results.json is written anew after every command, so that a run that is cut short keeps what it has:
    status        passed | failed | incomplete | no_device (running until the end)
    environment   machine, card, driver, compiler, build
    parts         per part a list of commands: name, status (passed | failed | not_run | unavailable), seconds,
                  exit_code, and what the command said (tests, compare) or measured (bench)
"""
import argparse
import json
import os
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path

from gpu_check_reports import (bad_ones, bench_line, count_tests, find_cuda_tool, find_list, find_text, last_line, parse_json,
                               processor_name, say, tally)

PARTS = ("tests", "sanitizer", "compare", "bench")

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
# Sizes at which every form of the solver's loop is timed beside the default, and the most seconds that one may take.
LOOP_FORMS, LOOP_SPHERES, LOOP_SECONDS = ("host", "graph", "persistent"), (2_000, 10_000, 100_000, 1_000_000), 20
SANITIZERS = ("memcheck", "racecheck", "initcheck", "synccheck")
SMALL_GPU_TESTS = "*Gpu*Small*:*Small*Gpu*"
# The most seconds per command; the rest of the budget is the other limit.
TEST_SECONDS, SANITIZER_SECONDS, COMPARE_SECONDS = 150, 45, 60


class CutShort(Exception):
    pass


class Check:
    def __init__(self, options):
        self.build = Path(options.build).resolve()
        self.out = Path(options.out)
        self.out.mkdir(parents=True, exist_ok=True)
        self.started = options.started or time.time()
        self.budget = options.budget
        self.only = options.only
        self.child = None
        self.cut = False
        self.results = {"status": "running", "budget_seconds": self.budget, "environment": {},
                        "parts": {part: [] for part in PARTS if part in self.only}}
        self.variables = dict(os.environ, SCREE_REQUIRE_GPU="1", SCREE_SOURCE_DIR=str(Path.cwd()))

    # --- running commands ---------------------------------------------------------------------------------------------

    def remaining(self):
        return self.budget - (time.time() - self.started)

    def save(self):
        self.results["seconds"] = round(time.time() - self.started, 1)
        unfinished = self.out / "results.json.part"
        unfinished.write_text(json.dumps(self.results, indent=1) + "\n")
        unfinished.replace(self.out / "results.json")

    def run(self, part, name, command, limit, variables=None):
        """Runs one command of a part; returns its record, in which the caller may correct the status, and its output."""
        record = {"name": name, "command": " ".join(map(str, command)), "status": "not_run"}
        if part is not None:
            self.results["parts"][part].append(record)
        limit = min(limit, self.remaining() - 2)
        if limit < 3 or self.cut:
            record["why"] = "no time left"
            self.save()
            return record, "", ""
        print(f"gpu_check: {name} ...", file=sys.stderr, flush=True)
        begin = time.time()
        try:
            self.child = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL,
                                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                                          env=dict(self.variables, **(variables or {})), start_new_session=True)
            output, errors = self.child.communicate(timeout=limit)
            record["exit_code"] = self.child.returncode
            record["status"] = "passed" if self.child.returncode == 0 else "failed"
        except OSError as error:
            output, errors = "", str(error)
            record["status"] = "failed"
        except (subprocess.TimeoutExpired, CutShort) as stop:
            self.kill_child()
            output, errors = self.child.communicate()
            # Out of budget is not a failure of what ran; longer than its own limit with time left is one.
            cut = isinstance(stop, CutShort) or self.remaining() < 5
            record["status"] = "not_run" if cut else "failed"
            record["why"] = "cut short" if cut else f"took longer than {limit:.0f} s"
        self.child = None
        record["seconds"] = round(time.time() - begin, 2)
        (self.out / (name.replace(" ", "_").replace("/", "_") + ".log")).write_text(output + errors)
        if record["status"] == "failed":
            record["said"] = (errors.strip() or output.strip())[-2000:]
        self.save()
        return record, output, errors

    def kill_child(self):
        if self.child is not None and self.child.poll() is None:
            os.killpg(self.child.pid, signal.SIGKILL)

    # --- the environment ----------------------------------------------------------------------------------------------

    def describe_environment(self):
        environment = self.results["environment"]
        environment["host"] = {"system": f"{platform.system()} {platform.release()}", "machine": platform.machine(),
                               "processor": processor_name(), "cores": len(os.sched_getaffinity(0)),
                               "python": platform.python_version()}
        fields = ("name,driver_version,memory.total,memory.used,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem,"
                  "power.limit,temperature.gpu,ecc.mode.current,compute_mode")
        listed = say(["nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader"])
        environment["nvidia_smi"] = [dict(zip(fields.split(","), map(str.strip, line.split(","))))
                                     for line in listed.splitlines() if line.strip()]
        environment["nvcc"] = last_line(say([find_cuda_tool("nvcc") or "nvcc", "--version"]))
        environment["commit"] = say(["git", "rev-parse", "--verify", "--quiet", "HEAD"]).strip()
        environment["build_folder"] = self.build.name
        _, output, _ = self.run(None, "scree info", [self.build / "bin" / "scree", "info", "--json"], 60)
        environment["scree_info"] = parse_json(output)
        self.save()
        return environment

    def devices(self):
        """What the program's own probe sees; None where it does not say."""
        return find_list(self.results["environment"]["scree_info"], "devices")

    # --- the parts ----------------------------------------------------------------------------------------------------

    def test_programs(self):
        return sorted(path for path in (self.build / "bin").glob("*_tests") if os.access(path, os.X_OK))

    def gpu_tests_in(self, program, pattern="*Gpu*"):
        listed = say([str(program), "--gtest_list_tests", f"--gtest_filter={pattern}"], self.variables)
        return sum(1 for line in listed.splitlines() if line.startswith("  "))

    def tests(self):
        found = 0
        for program in self.test_programs():
            count = self.gpu_tests_in(program)
            if count == 0:
                continue
            found += count
            report = self.out / f"{program.name}.json"
            report.unlink(missing_ok=True)
            record, output, _ = self.run("tests", program.name,
                                         [program, "--gtest_filter=*Gpu*", f"--gtest_output=json:{report}"],
                                         TEST_SECONDS)
            record.update(count_tests(report, output, count))
            if record["status"] == "passed" and (record["failed"] or record["skipped"] or record["passed"] != count):
                record["status"] = "failed"
        if found == 0:
            self.results["parts"]["tests"].append(
                {"name": "GPU tests", "status": "failed", "said": f"no GPU test in {self.build.name}/bin/*_tests"})
        self.save()

    def sanitizer(self):
        tool = find_cuda_tool("compute-sanitizer")
        programs = [program for program in self.test_programs() if self.gpu_tests_in(program, SMALL_GPU_TESTS) > 0]
        for check in SANITIZERS:
            for program in programs:
                name = f"{check} {program.name}"
                if tool is None:
                    self.results["parts"]["sanitizer"].append(
                        {"name": name, "status": "unavailable", "said": "compute-sanitizer is not installed"})
                    continue
                record, output, errors = self.run(
                    "sanitizer", name,
                    [tool, "--tool", check, "--error-exitcode", "99", "--report-api-errors", "no", program,
                     f"--gtest_filter={SMALL_GPU_TESTS}"], SANITIZER_SECONDS)
                if record["status"] == "failed" and "Device not supported" in output + errors:
                    record["status"] = "unavailable"
                elif record.get("why", "").startswith("took longer"):
                    record["status"] = "not_run"  # Slow under the sanitizer, which says nothing against the code.
        self.save()

    def compare(self):
        for scene, steps, settings in COMPARED:
            file = Path("scenes") / f"{scene}.yaml"
            overrides = [word for setting in settings for word in ("--set", setting)]
            record, output, _ = self.run("compare", " ".join(["compare", scene, *settings]),
                                         [self.build / "bin" / "scree", "compare", file, "--backends", "cpu,cuda",
                                          "--steps", steps, "--json", *overrides], COMPARE_SECONDS)
            record["steps"] = steps
            record["result"] = parse_json(output)
        self.save()

    def bench(self):
        for spheres, limit in BENCHED:
            record, output, _ = self.run("bench", f"bench {spheres}",
                                         [self.build / "bin" / "scree", "bench", "all", "--backend", "cuda", "--spheres",
                                          spheres, "--json"], limit)
            record["spheres"] = spheres
            record["result"] = parse_json(output)
            if record["status"] == "passed" and not record["result"]:
                record["status"], record["said"] = "failed", "no measurement in the output"
        for spheres in LOOP_SPHERES:
            for form in LOOP_FORMS:
                record, output, _ = self.run("bench", f"loop {form} {spheres}",
                                             [self.build / "bin" / "scree", "bench", "solver", "--backend", "cuda",
                                              "--spheres", spheres, "--seconds", 1, "--json"], LOOP_SECONDS,
                                             {"SCREE_CUDA_LOOP": form})
                record["loop"] = form
                record["result"] = parse_json(output)
        self.save()

    # --- the end ------------------------------------------------------------------------------------------------------

    def finish(self):
        records = [record for part in self.results["parts"].values() for record in part]
        missing = [part for part, of_part in self.results["parts"].items() if not of_part]
        if any(record["status"] == "failed" for record in records):
            self.results["status"] = "failed"
        elif self.cut or missing or any(record["status"] == "not_run" for record in records):
            self.results["status"] = "incomplete"
        else:
            self.results["status"] = "passed"
        self.save()
        print("\n".join(self.summary()))
        return {"passed": 0, "failed": 1, "incomplete": 3}[self.results["status"]]

    def summary(self):
        """Ten lines."""
        parts, environment = self.results["parts"], self.results["environment"]
        card = (environment.get("nvidia_smi") or [{}])[0]
        host = environment["host"]
        tests = parts.get("tests", [])
        total = {key: sum(record.get(key, 0) for record in tests) for key in ("passed", "failed", "skipped")}
        lines = [
            f"gpu_check: {self.results['status'].upper()} after {self.results['seconds']:.0f} s of {self.budget} s",
            f"  device     {card.get('name', 'not named by nvidia-smi')}, {card.get('memory.total', '?')}, driver "
            f"{card.get('driver_version', '?')}",
            f"  host       {host['processor']}, {host['cores']} cores, {host['system']}; tree {self.build.name}, commit "
            f"{environment['commit'][:12] or 'unknown'}",
            f"  tests      {total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped"
            + bad_ones(tests),
            f"  sanitizer  {tally(parts.get('sanitizer', []))}",
            f"  compare    {tally(parts.get('compare', []))}",
        ]
        benches = parts.get("bench", [])
        shown = [record for record in benches if "spheres" in record and record["spheres"] != BENCHED[1][0]]
        lines += [f"  {record['spheres']:<10} {bench_line(record)}" for record in shown]
        lines += ["  bench      not asked for"] * (0 if "bench" in parts else 1)
        lines.append(f"  results    {self.out}/results.json")
        return lines


def main():
    parser = argparse.ArgumentParser(description="Called by scripts/gpu_check.")
    parser.add_argument("--build", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--budget", type=int, default=480)
    parser.add_argument("--started", type=float, default=0)
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(PARTS))
    options = parser.parse_args()
    unknown = [part for part in options.only if part not in PARTS]
    if unknown:
        print(f"error: --only {unknown[0]}: one of {', '.join(PARTS)} is expected", file=sys.stderr)
        return 1

    check = Check(options)

    def cut_short(_signal, _frame):
        check.cut = True
        if check.child is not None:
            raise CutShort

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, cut_short)

    environment = check.describe_environment()
    devices = check.devices()
    if not devices and not environment["nvidia_smi"]:
        check.results["status"] = "no_device"
        check.save()
        reason = find_text(environment["scree_info"], "reason")
        print(f"gpu_check: no device{': ' + reason if reason else ''}. Nothing was checked.")
        return 0
    if devices == []:  # The system shows a card that the program does not see: everything below will say why.
        print("gpu_check: nvidia-smi shows a card, scree info does not", file=sys.stderr)
    for part in PARTS:
        if part in check.only:
            getattr(check, part)()
    return check.finish()


if __name__ == "__main__":
    sys.exit(main())
