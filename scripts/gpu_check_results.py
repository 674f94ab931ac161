# SPDX-License-Identifier: BSD-3-Clause
"""The results of scripts/gpu_check as files, and the running of its commands.

results.json is written anew before and after every command:
    status        passed | failed | incomplete | no_device (running until the end)
    running       the command that runs now; absent at the end
    environment   machine, card, driver, compiler, build
    parts         per part a list of commands: name, status (passed | failed | not_run | unavailable; running), why,
                  seconds, exit_code, log (its files in logs.tgz), and what it said (tests, compare) or measured (bench)
logs.tgz holds per command what it printed and its errors.
"""
import json
import os
import re
import shlex
import signal
import sys
import tarfile
import time

from gpu_check_child import run_child

# Nothing starts in the last seconds, and what ends in them has not failed.
LEAST_SECONDS = 5


def save_results(results, out):
    out.mkdir(parents=True, exist_ok=True)
    unfinished = out / "results.json.part"
    unfinished.write_text(json.dumps(results, indent=1) + "\n")
    unfinished.replace(out / "results.json")


def no_device(out, reason, results=None):
    save_results(dict(results or {}, status="no_device", why=reason), out)
    print(f"gpu_check: no device{': ' + reason if reason else ''}. Nothing was checked.")
    return 0


class Runner:
    """Runs commands within a budget, and keeps their records."""

    def __init__(self, tree, out, logs, budget, begun, parts):
        self.tree, self.out, self.logs, self.budget, self.begun = tree, out, logs, budget, begun
        self.cut = False  # Told to stop.
        self.stuck = ""   # The command that nothing ended: a driver that no longer answers.
        self.results = {"status": "running", "budget_seconds": budget, "environment": {},
                        "parts": {part: [] for part in parts}}
        self.variables = dict(os.environ, SCREE_REQUIRE_GPU="1")
        for folder in (self.out, self.logs):
            folder.mkdir(parents=True, exist_ok=True)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.stop)

    def stop(self, _signal, _frame):
        self.cut = True

    def remaining(self):
        return self.budget - (time.time() - self.begun)

    def save(self):
        self.results["seconds"] = round(time.time() - self.begun, 1)
        save_results(self.results, self.out)

    def save_logs(self):
        """One file with a name that any system takes, whatever the commands are called."""
        unfinished = self.out / "logs.tgz.part"
        with tarfile.open(unfinished, "w:gz") as archive:
            archive.add(self.logs, "logs")
        unfinished.replace(self.out / "logs.tgz")

    @staticmethod
    def log_name(name):
        """Of letters, digits, dots, dashes and underscores."""
        return re.sub(r"[^A-Za-z0-9._-]+", "_", name)

    def run(self, part, name, command, limit, variables=None, own=True):
        """Runs one command of a part; returns its record, in which the caller may correct the status, and its output.
        `own`: one of the tree's programs, which gets the tree's libraries."""
        record = {"name": name, "command": shlex.join(map(str, command)), "status": "not_run"}
        if variables:
            record["variables"] = variables
        if part is not None:
            self.results["parts"][part].append(record)
        left = self.remaining() - 2
        if left < LEAST_SECONDS or self.cut or self.stuck:
            record["why"] = f"{self.stuck} was still there" if self.stuck else "no time left"
            self.save()
            return record, "", ""
        print(f"gpu_check: {name} ...", file=sys.stderr, flush=True)
        record["status"], record["log"] = "running", self.log_name(name)
        self.results["running"] = name
        self.save()
        begin, limit = time.time(), min(limit, left)
        files = [self.logs / f"{record['log']}.{kind}.txt" for kind in ("output", "errors")]
        with open(files[0], "wb") as output, open(files[1], "wb") as errors:
            ended = run_child(command, output, errors, limit,
                              dict(self.variables, **(self.tree.library_path() if own else {}), **(variables or {})),
                              lambda: self.cut)
        output, errors = (file.read_text(errors="replace") for file in files)
        record["seconds"] = round(time.time() - begin, 2)
        self.judge(record, ended, limit)
        if record["status"] == "failed":
            record["said"] = (errors.strip() or output.strip())[-2000:]
        del self.results["running"]
        self.save()
        return record, output, errors

    def judge(self, record, ended, limit):
        """How a command ended, in the words of its record."""
        if ended.exit_code is not None and ended.how == "exited":
            record["exit_code"] = ended.exit_code
        record["status"] = "passed" if ended.how == "exited" and ended.exit_code == 0 else "failed"
        if ended.how == "exited" and ended.exit_code < 0:
            record["why"] = f"ended by signal {-ended.exit_code} ({signal.strsignal(-ended.exit_code)})"
        elif ended.how == "not_started":
            record["why"] = ended.why
        elif ended.how == "late" and self.remaining() > LEAST_SECONDS:
            record["why"] = f"took longer than {limit:.0f} s"
        elif ended.how != "exited":  # Out of budget, which is not a failure of what ran.
            record["status"], record["why"] = "not_run", "cut short"
        if ended.stuck:
            self.stuck = record["name"]
            record["status"], record["why"] = "failed", "nothing ended it: the driver does not answer any more"
