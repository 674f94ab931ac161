#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/gpu_check with programs that stand in for a card (gpu_check_stubs.py)."""
import contextlib
import re
import signal
import subprocess
import time
import unittest
from unittest import mock

from gpu_check_stubs import ROOT, OnAMachine

import gpu_check_child
import gpu_check_plan as plan
import gpu_check_run
from gpu_check_tree import Tree


def check_part(test, part, **limits):
    """One part in this process, with other limits of time; an exit code."""
    with mock.patch.multiple(gpu_check_run, **limits), handlers_kept(), mock.patch("builtins.print"):
        return gpu_check_run.Check(Tree(test.machine.tree, False), test.machine.out, test.folder / "logs", 60, time.time(),
                                   [part]).all()


@contextlib.contextmanager
def handlers_kept():
    """The signal handlers of the test stay as they are."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


class AWholeCheck(OnAMachine):
    def test_passes_in_ten_lines_and_leaves_two_files(self):
        done = self.machine.check()

        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 10, done.stdout)
        self.assertIn("tests      11 passed, 0 failed, 0 skipped", done.stdout)
        self.assertEqual(sorted(file.name for file in self.machine.out.iterdir()), ["logs.tgz", "results.json"])
        results = self.machine.results()
        self.assertEqual(results["status"], "passed")
        self.assertNotIn("running", results)
        self.assertEqual(list(results["parts"]), ["tests", "compare", "bench", "sanitizer"])
        for name in self.logs():
            self.assertRegex(name, r"^[A-Za-z0-9._-]+$")
        records = [record for part in results["parts"].values() for record in part]
        self.assertEqual(len({record["log"] for record in records}), len(records))

    def test_asks_the_persistent_loop_only_up_to_its_limit(self):
        source = (ROOT / "kernels/cone/projected_gradient_loop.cuh").read_text()
        limit = int(re.search(r"persistent_contacts = (\d+);", source)[1])

        self.assertLessEqual(max(plan.LOOP_SPHERES["persistent"]) * 5.7, limit)

    def test_says_with_three_where_the_time_does_not_suffice(self):
        done = self.machine.check("--budget", "4", "--only", "compare")

        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertEqual(self.record("compare", "compare pile_1000")["status"], "not_run")

    def test_runs_only_what_is_asked_for(self):
        self.assertEqual(self.machine.check("--only", "compare").returncode, 0)
        self.assertEqual(list(self.machine.results()["parts"]), ["compare"])
        self.assertEqual(self.machine.calls("compute-sanitizer"), [])

    def test_keeps_logs_where_they_are_asked_for(self):
        self.machine.check("--only", "compare", "--logs", str(self.folder / "kept"))
        self.assertIn('"agree"', (self.folder / "kept" / "compare_rover.output.txt").read_text())

    def test_names_wrong_options(self):
        for options in (["--only", "test"], ["--budget", "0"], ["--budge", "9"], ["--pack", "archive.zip"]):
            done = self.machine.check(*options)
            self.assertEqual(done.returncode, 1, options)
            self.assertIn("error: ", done.stderr)

    def test_without_a_result_a_comparison_has_failed(self):
        (self.machine.tree / "bin" / "scree").write_text("#!/bin/sh\nexit 0\n")
        self.assertEqual(self.machine.check("--only", "compare").returncode, 1)


class WithoutADevice(OnAMachine):
    def test_says_so(self):
        done = self.machine.check(do={"info": "no device", "nvidia-smi": "fail"})

        self.assertEqual(done.returncode, 0)
        self.assertIn("no device: no driver. Nothing was checked.", done.stdout)
        self.assertEqual(self.machine.results()["status"], "no_device")

    def test_a_card_that_the_program_does_not_see_is_checked(self):
        self.assertEqual(self.machine.check("--only", "tests", do={"info": "no device"}).returncode, 0)
        self.assertEqual(self.machine.results()["status"], "passed")


class EachGroupOfTests(OnAMachine):
    def test_is_a_process_and_takes_only_gpu_tests(self):
        self.machine.check("--only", "tests")

        filters = [words[0] for words, _ in self.machine.calls("kernels_tests")]
        self.assertEqual(filters, [f"--gtest_filter={group}" for group in
                                   ("GpuErrors.*", "GpuStep.*", "Small/GpuBackend.*", "Mixed.OnTheGpu")])
        required = {variables["SCREE_REQUIRE_GPU"] for _, variables in self.machine.calls("kernels_tests")}
        self.assertEqual(required, {"1"})

    def test_that_breaks_down_leaves_the_others_alone_and_runs_once_more(self):
        done = self.machine.check("--only", "tests", do={"GpuStep": "crash"})

        self.assertEqual(done.returncode, 1)
        self.assertIn("tests      5 passed, 0 failed, 0 skipped, 6 not reached (kernels_tests GpuStep did not pass)",
                      done.stdout)
        record = self.record("tests", "kernels_tests GpuStep")
        self.assertEqual((record["status"], record["why"]), ("failed", "ended by signal 11 (Segmentation fault)"))
        self.assertEqual((record["passed"], record["last"]), (1, "GpuStep.LargePileMovesAsOnTheCpu"))
        self.assertEqual(record["again"]["variables"], {"SCREE_CUDA_SYNC": "1"})
        waits = [variables.get("SCREE_CUDA_SYNC") for _, variables in self.machine.calls("kernels_tests")]
        self.assertEqual(waits, [None, None, None, None, "1"])
        for name in ("kernels_tests_GpuStep", "kernels_tests_GpuStep_again"):
            self.assertIn("GpuStep.SmallPile", self.logs()[f"{name}.output.txt"])

    def test_that_fails_or_skips_has_failed(self):
        for what, counted in (("fail", "failed"), ("skip", "skipped")):
            self.assertEqual(self.machine.check("--only", "tests", do={"Small/GpuBackend": what}).returncode, 1)
            record = self.record("tests", "kernels_tests Small/GpuBackend")
            self.assertEqual((record["status"], record["passed"], record[counted]), ("failed", 1, 1))

    def test_that_hangs_loses_its_time_only(self):
        variables = self.machine.variables({"GpuStep": "hang"})
        with mock.patch.dict("os.environ", variables):
            code = check_part(self, "tests", TEST_SECONDS=3, LONG_TESTS={})

        self.assertEqual(code, 1)
        record = self.record("tests", "kernels_tests GpuStep")
        self.assertEqual((record["status"], record["why"]), ("failed", "took longer than 3 s"))
        self.assertEqual(self.record("tests", "kernels_tests Small/GpuBackend")["status"], "passed")
        self.assertIn("before it hangs", self.logs()["kernels_tests_GpuStep.output.txt"])

    def test_that_nothing_ends_ends_the_check(self):
        variables = self.machine.variables({"GpuErrors": "hang"})
        with mock.patch.dict("os.environ", variables), mock.patch.object(gpu_check_child, "KILL_SECONDS", 0.2), \
                mock.patch("os.killpg") as not_killed:
            code = check_part(self, "tests", TEST_SECONDS=1, LONG_TESTS={})
        subprocess.run(["kill", "-9", str(not_killed.call_args[0][0])], check=True)

        self.assertEqual(code, 1)
        record = self.record("tests", "kernels_tests GpuErrors")
        self.assertEqual(record["status"], "failed")
        self.assertIn("nothing ended it", record["why"])
        self.assertEqual(self.record("tests", "kernels_tests GpuStep")["status"], "not_run")

    def test_of_a_program_that_does_not_list_them_has_failed(self):
        self.assertEqual(self.machine.check("--only", "tests", do={"list": "crash"}).returncode, 1)
        self.assertEqual(self.record("tests", "kernels_tests")["why"], "does not list its tests")


class UnderASanitizer(OnAMachine):
    def test_whole_runs_are_left_out(self):
        self.machine.check("--only", "sanitizer")

        calls = [" ".join(words) for words, _ in self.machine.calls("compute-sanitizer")]
        self.assertEqual(len(calls), 2 * len(plan.SANITIZERS))
        self.assertFalse([call for call in calls if "Large" in call or "Statistics" in call or "EveryForm" in call])
        steps = {call.split()[1]: call.split("--gtest_filter=")[1] for call in calls if "GpuStep" in call}
        self.assertEqual(steps["memcheck"], "GpuStep.SmallPileMovesAsOnTheCpu:GpuStep.SmallRunTimesItsPasses")

    def test_initcheck_does_without_the_copy_of_what_nobody_wrote_and_says_why(self):
        self.machine.check("--only", "sanitizer")

        record = self.record("sanitizer", "initcheck kernels_tests GpuStep")
        self.assertIn("--gtest_filter=GpuStep.SmallPileMovesAsOnTheCpu", record["command"])
        self.assertNotIn("TimesItsPasses", record["command"])
        self.assertIn("nobody wrote", record["left_out"]["GpuStep.SmallRunTimesItsPasses"])

    def test_what_is_left_out_exists(self):
        source = (ROOT / "tests/kernels/step/gpu_step_test.cpp").read_text()
        for name in (*plan.WHOLE_RUNS, *plan.NOT_UNDER["initcheck"]):
            self.assertIn(f"TEST({name.replace('.', ', ')})", source)

    def test_slowness_is_no_failure_but_what_was_found_until_then_is(self):
        for do, code, status in (({"compute-sanitizer": "hang"}, 3, "not_run"),
                                 ({"compute-sanitizer": "hang", "finds": "something"}, 1, "failed")):
            with mock.patch.dict("os.environ", self.machine.variables(do)):
                self.assertEqual(check_part(self, "sanitizer", SANITIZER_SECONDS=0.5, SANITIZERS=("memcheck",)), code)
            self.assertEqual(self.record("sanitizer", "memcheck kernels_tests GpuStep")["status"], status)

    def test_errors_are_failures(self):
        self.assertEqual(self.machine.check("--only", "sanitizer", do={"Small/GpuBackend": "crash"}).returncode, 1)


class Libraries(OnAMachine):
    def test_are_for_the_programs_of_the_tree_alone(self):
        (self.machine.tree / "lib").mkdir()

        done = self.machine.check()

        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for program, expected in (("scree", True), ("kernels_tests", True), ("compute-sanitizer", False),
                                  ("nvidia-smi", False)):
            calls = self.machine.calls(program)
            self.assertTrue(calls)
            for _, variables in calls:
                self.assertEqual("LD_LIBRARY_PATH" in variables, expected, program)


class WhenItIsCutShort(OnAMachine):
    def test_results_name_what_runs_and_keep_what_ran(self):
        command = self.machine.command("--build", str(self.machine.tree), "--only", "compare,bench")
        check = subprocess.Popen(command, env=self.machine.variables({"bench": "hang"}), stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True)
        self.wait_for(lambda: self.machine.results().get("running") == "bench 10000")
        meanwhile = self.machine.results()
        self.wait_for(lambda: [call for call in self.machine.calls("scree") if call[0][0] == "bench"])
        check.send_signal(signal.SIGTERM)
        summary, _ = check.communicate(timeout=30)

        self.assertEqual(meanwhile["status"], "running")
        self.assertEqual(meanwhile["parts"]["bench"][0]["status"], "running")
        self.assertTrue(all(record["status"] == "passed" for record in meanwhile["parts"]["compare"]))
        self.assertEqual(check.returncode, 3, summary)
        self.assertEqual(len(summary.splitlines()), 10)
        self.assertEqual(self.machine.results()["status"], "incomplete")
        self.assertEqual(self.record("bench", "bench 10000")["why"], "cut short")
        self.assertIn("compare_pile_1000.output.txt", self.logs())

    def wait_for(self, condition):
        for _ in range(600):
            try:
                if condition():
                    return
            except (FileNotFoundError, ValueError):  # not there yet, or half a line
                pass
            time.sleep(0.05)
        self.fail("waited for 30 s")


if __name__ == "__main__":
    unittest.main()
