# SPDX-License-Identifier: BSD-3-Clause
"""The parts of scripts/gpu_check, once a built tree starts; see there for what it does and its exit codes."""
import os
import platform
import sys

from gpu_check_child import say
from gpu_check_plan import (BENCHED, COMPARE_SECONDS, COMPARED, LONG_TESTS, LOOP_SECONDS, LOOP_SPHERES, NOT_UNDER, PARTS,
                            SANITIZER_SECONDS, SANITIZERS, TEST_SECONDS, WHOLE_RUNS)
from gpu_check_reports import (bad_ones, bench_line, count_tests, find_cuda_tool, find_list, find_text, last_line,
                               parse_json, processor_name, sanitizer_found, selected, tally, tests_in)
from gpu_check_results import Runner, no_device


def for_sanitizers(test):
    return "Gpu" in test and "Small" in test and test not in WHOLE_RUNS


class Check(Runner):
    def __init__(self, tree, out, logs, budget, begun, only):
        self.only = [part for part in PARTS if part in only]
        super().__init__(tree, out, logs, budget, begun, self.only)

    def all(self):
        """Runs everything and prints the summary; the exit code."""
        answered = self.describe_environment()
        environment = self.results["environment"]
        devices = find_list(environment["scree_info"], "devices")  # None where the program does not say.
        if answered and not devices and not environment["nvidia_smi"]:
            return no_device(self.out, find_text(environment["scree_info"], "reason"), self.results)
        if devices == []:  # The system shows a card that the program does not see: everything below will say why.
            print("gpu_check: nvidia-smi shows a card, scree info does not", file=sys.stderr)
        for part in self.only:
            getattr(self, part)()
            self.save()
            self.save_logs()
        return self.finish()

    # --- the environment ----------------------------------------------------------------------------------------------

    def describe_environment(self):
        """Whether the launcher answered."""
        environment = self.results["environment"]
        environment["host"] = {"system": f"{platform.system()} {platform.release()}", "machine": platform.machine(),
                               "processor": processor_name(), "cores": len(os.sched_getaffinity(0)),
                               "python": platform.python_version()}
        fields = ("name,driver_version,memory.total,memory.used,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem,"
                  "power.limit,temperature.gpu,ecc.mode.current,compute_mode")
        listed = say(["nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader"]) or ""
        environment["nvidia_smi"] = [dict(zip(fields.split(","), map(str.strip, line.split(","))))
                                     for line in listed.splitlines() if line.strip()]
        environment["nvcc"] = last_line(say([find_cuda_tool("nvcc") or "nvcc", "--version"]) or "")
        environment["commit"] = self.tree.commit()
        environment["build_folder"] = self.tree.folder.name
        record, output, _ = self.run(None, "scree info", [self.tree.program("scree"), "info", "--json"], 60)
        environment["scree_info"] = parse_json(output)
        self.save()
        return record["status"] == "passed"

    # --- the parts ----------------------------------------------------------------------------------------------------

    def groups(self, part, program, wanted):
        """The groups of a program's wanted tests; a program that does not even list its tests has failed."""
        listed = tests_in(program, dict(self.variables, **self.tree.library_path()))
        if listed is None:
            self.results["parts"][part].append(
                {"name": program.name, "status": "failed", "why": "does not list its tests"})
        return selected(listed or {}, wanted)

    def tests(self):
        """One process per group: after a fault a process cannot use the device any more, and one that hangs is lost."""
        failed = []
        for program in self.tree.test_programs():
            for group, (names, taken) in self.groups("tests", program, lambda name: "Gpu" in name).items():
                record = self.test_group("tests", program, group, names, taken)
                if record["status"] == "failed":
                    failed.append((record, program, group, names, taken))
        if not self.results["parts"]["tests"]:
            self.results["parts"]["tests"].append(
                {"name": "GPU tests", "status": "failed", "why": f"no GPU test in {self.tree.folder.name}/bin/*_tests"})
        # Once more, after all others had their turn; each launch waits, so that the error names the kernel at fault.
        for record, *group in failed:
            record["again"] = self.test_group(None, *group, {"SCREE_CUDA_SYNC": "1"})

    def test_group(self, part, program, group, names, taken, variables=None):
        name = f"{program.name} {group}" + (" again" if variables else "")
        report = self.logs / f"{self.log_name(name)}.json"
        report.unlink(missing_ok=True)
        record, output, _ = self.run(part, name, [program, f"--gtest_filter={taken}", f"--gtest_output=json:{report}"],
                                     LONG_TESTS.get(group, TEST_SECONDS), variables)
        if "seconds" in record:
            record.update(count_tests(report, output, len(names)))
            if record["status"] == "passed" and record["passed"] != len(names):
                record["status"] = "failed"
        return record

    def sanitizer(self):
        tool = find_cuda_tool("compute-sanitizer")
        groups = [(program, group, [f"{group}.{name}" for name in names])
                  for program in self.tree.test_programs()
                  for group, (names, _) in self.groups("sanitizer", program, for_sanitizers).items()]
        for check in SANITIZERS:
            for program, group, tests in groups:
                self.sanitize(tool, check, f"{check} {program.name} {group}", program, tests)

    def sanitize(self, tool, check, name, program, tests):
        if tool is None:
            self.results["parts"]["sanitizer"].append(
                {"name": name, "status": "unavailable", "why": "compute-sanitizer is not installed"})
            return
        left_out = {test: why for test, why in NOT_UNDER.get(check, {}).items() if test in tests}
        taken = ":".join(test for test in tests if test not in left_out)
        record, output, errors = self.run(
            "sanitizer", name,
            [*self.tree.under([tool, "--tool", check, "--error-exitcode", "99", "--report-api-errors", "no",
                               "--target-processes", "all"], program), f"--gtest_filter={taken}"],
            SANITIZER_SECONDS, own=False)
        if left_out:
            record["left_out"] = left_out
        if record["status"] == "failed" and "Device not supported" in output + errors:
            record["status"] = "unavailable"
        elif record.get("why", "").startswith(("took longer", "cut short")):
            # Slow under the sanitizer, which says nothing against the code; what it found until then does.
            record["status"] = "failed" if sanitizer_found(output + errors) else "not_run"

    def compare(self):
        for scene, steps, settings in COMPARED:
            overrides = [word for setting in settings for word in ("--set", setting)]
            record, output, _ = self.run("compare", " ".join(["compare", scene, *settings]),
                                         [self.tree.program("scree"), "compare", f"scenes/{scene}.yaml", "--backends",
                                          "cpu,cuda", "--steps", steps, "--json", *overrides], COMPARE_SECONDS)
            record["steps"] = steps
            self.read_result(record, output)

    def bench(self):
        for spheres, limit in BENCHED:
            record, output, _ = self.run("bench", f"bench {spheres}",
                                         [self.tree.program("scree"), "bench", "all", "--backend", "cuda", "--spheres",
                                          spheres, "--json"], limit)
            record["spheres"] = spheres
            self.read_result(record, output)
        for form, sizes in LOOP_SPHERES.items():
            for spheres in sizes:
                record, output, _ = self.run("bench", f"loop {form} {spheres}",
                                             [self.tree.program("scree"), "bench", "solver", "--backend", "cuda",
                                              "--spheres", spheres, "--seconds", 1, "--json"], LOOP_SECONDS,
                                             {"SCREE_CUDA_LOOP": form})
                record["loop"], record["spheres"] = form, spheres
                self.read_result(record, output)

    def read_result(self, record, output):
        record["result"] = parse_json(output)
        if record["status"] == "passed" and not record["result"]:
            record["status"], record["why"] = "failed", "no result in the output"
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
        total = {key: sum(record.get(key, 0) for record in tests)
                 for key in ("passed", "failed", "skipped", "not_reached")}
        not_reached = f", {total['not_reached']} not reached" if total["not_reached"] else ""
        lines = [
            f"gpu_check: {self.results['status'].upper()} after {self.results['seconds']:.0f} s of {self.budget} s",
            f"  device     {card.get('name', 'not named by nvidia-smi')}, {card.get('memory.total', '?')}, driver "
            f"{card.get('driver_version', '?')}",
            f"  host       {host['processor']}, {host['cores']} cores, {host['system']}; tree {self.tree.folder.name}, "
            f"commit {environment['commit'][:12] or 'unknown'}",
            f"  tests      {total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped{not_reached}"
            + bad_ones(tests),
            f"  sanitizer  {tally(parts.get('sanitizer', []))}",
            f"  compare    {tally(parts.get('compare', []))}",
        ]
        shown = [record for record in parts.get("bench", [])
                 if "loop" not in record and record["spheres"] != BENCHED[1][0]]
        lines += [f"  {record['spheres']:<10} {bench_line(record)}" for record in shown]
        lines += ["  bench      not asked for"] * (0 if "bench" in parts else 1)
        lines.append(f"  results    {self.out}/results.json, logs.tgz")
        return lines
