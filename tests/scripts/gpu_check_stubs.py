# SPDX-License-Identifier: BSD-3-Clause
"""Programs that stand in for a card: a built tree, nvidia-smi and compute-sanitizer. They write down how they were called
and do what STUB_DO says, a JSON object: what to do (crash, fail, hang, skip) by the name of a group or command."""
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True

COMMON = f"""#!{sys.executable} -IS
import json, os, signal, sys, time
do = json.loads(os.environ.get("STUB_DO", "{{}}"))
def called(name):
    keys = ("LD_LIBRARY_PATH", "SCREE_CUDA_SYNC", "SCREE_CUDA_LOOP", "SCREE_REQUIRE_GPU")
    variables = {{key: os.environ[key] for key in keys if key in os.environ}}
    with open(os.environ["STUB_CALLS"], "a") as file:
        file.write(json.dumps([name, sys.argv[1:], variables]) + "\\n")
def misbehave(name):
    if do.get(name) == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if do.get(name) == "hang":
        print("before it hangs", flush=True)
        time.sleep(600)
"""

SCREE = COMMON + """
if os.path.isdir(os.path.dirname(sys.argv[0]) + "/../lib") and "lib" not in os.environ.get("LD_LIBRARY_PATH", ""):
    sys.exit("error while loading shared libraries")
called("scree")
misbehave(sys.argv[1])
if sys.argv[1] == "info":
    built = do.get("info") != "without CUDA"
    print(json.dumps({"backends": [{"name": "cuda", "built": built, "reason": "no driver"}],
                      "devices": [] if do.get("info") == "no device" else [{"name": "Stub"}]}))
elif sys.argv[1] == "compare":
    print(json.dumps({"agree": True}))
elif sys.argv[1] == "bench":
    print(json.dumps([{"name": "step", "seconds": 0.001, "contacts": 11141}]))
"""

# The tests of a group of each kind, as Google Test lists them.
TESTS = {
    "CpuStep": ["Moves"],
    "GpuErrors": ["AreSaidInWords"],
    "GpuStep": ["SmallPileMovesAsOnTheCpu", "LargePileMovesAsOnTheCpu", "SmallPileHasTheStatisticsOfTheCpuRunLater",
                "SmallRunRepeatsItselfBitForBit", "SmallRunHasTheSameBitsWithEveryFormOfTheSolversLoop",
                "SmallRunTimesItsPasses", "SmallRestoredRunContinuesBitForBit"],
    "Small/GpuBackend": ["DoesAsTheSequentialCode/ForEach_0", "DoesAsTheSequentialCode/ForEach_1"],
    "Mixed": ["OnTheCpu", "OnTheGpu"],
}

KERNELS_TESTS = COMMON + f"tests = {TESTS!r}" + """
words = dict(word.lstrip("-").split("=", 1) for word in sys.argv[1:] if "=" in word)
if "--gtest_list_tests" in sys.argv:
    if do.get("list") == "crash":
        sys.exit(2)
    print("Running main() from gtest_main.cc")
    for group, names in tests.items():
        print(group + ".")
        for name in names:
            print("  " + name + ("  # GetParam() = (ForEach, 0)" if "/" in name else ""))
    sys.exit(0)
called("kernels_tests")
taken = words["gtest_filter"].split(":")
suites, failed = [], False
for group, names in tests.items():
    suite = {"name": group, "testsuite": []}
    for at, name in enumerate(names):
        if f"{group}.*" not in taken and f"{group}.{name}" not in taken:
            continue
        print(f"[ RUN      ] {group}.{name}", flush=True)
        if at == 1 or len(names) == 1:
            misbehave(group)
        test = {"name": name, "status": "RUN", "result": "COMPLETED"}
        if do.get(group) == "fail" and at == 1:
            test["failures"], failed = [{"failure": "1 is not 2"}], True
        if do.get(group) == "skip" and at == 1:
            test["result"] = "SKIPPED"
        print(f"[       OK ] {group}.{name} (1 ms)", flush=True)
        suite["testsuite"].append(test)
    suites.append(suite)
if "gtest_output" in words:
    with open(words["gtest_output"].removeprefix("json:"), "w") as file:
        json.dump({"testsuites": suites}, file)
sys.exit(1 if failed else 0)
"""

NVIDIA_SMI = COMMON + """
called("nvidia-smi")
if do.get("nvidia-smi") == "fail":
    print("NVIDIA-SMI has failed")
    sys.exit(9)
print("Stub, 1.0" + ", 0" * 10)
"""

COMPUTE_SANITIZER = COMMON + """
called("compute-sanitizer")
if do.get("finds"):
    print("========= Invalid __global__ write of size 4 bytes", flush=True)
misbehave("compute-sanitizer")
program = sys.argv[9:]  # After four options with a value each.
os.execvp(program[0], program)
"""


def write_program(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)


class Machine:
    """A folder with a built tree and tools that stand in for those of a card."""

    def __init__(self, folder):
        self.tree, self.tools, self.out, self.file = (folder / name for name in ("tree", "tools", "out", "calls"))
        write_program(self.tree / "bin" / "scree", SCREE)
        write_program(self.tree / "bin" / "kernels_tests", KERNELS_TESTS)
        write_program(self.tools / "nvidia-smi", NVIDIA_SMI)
        write_program(self.tools / "compute-sanitizer", COMPUTE_SANITIZER)

    def variables(self, do):
        variables = dict(os.environ, PATH=f"{self.tools}:{os.environ['PATH']}", STUB_CALLS=str(self.file),
                         STUB_DO=json.dumps(do), PYTHONDONTWRITEBYTECODE="1")
        variables.pop("LD_LIBRARY_PATH", None)
        return variables

    def command(self, *options, script=ROOT / "scripts" / "gpu_check"):
        return [sys.executable, str(script), "--out", str(self.out), *options]

    def check(self, *options, do=None):
        """A whole run of scripts/gpu_check on the tree."""
        return subprocess.run(self.command("--build", str(self.tree), *options), capture_output=True, text=True,
                              env=self.variables(do or {}), check=False)

    def results(self):
        return json.loads((self.out / "results.json").read_text())

    def calls(self, program):
        """The words and variables of each call of a program."""
        calls = [json.loads(line) for line in self.file.read_text().splitlines()] if self.file.exists() else []
        return [(words, variables) for name, words, variables in calls if name == program]


class OnAMachine(unittest.TestCase):
    """A test with a machine of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.machine = Machine(self.folder)

    def record(self, part, name):
        return next(record for record in self.machine.results()["parts"][part] if record["name"] == name)

    def logs(self):
        with tarfile.open(self.machine.out / "logs.tgz") as archive:
            return {Path(member.name).name: archive.extractfile(member).read().decode()
                    for member in archive.getmembers() if member.isfile()}
