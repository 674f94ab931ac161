# SPDX-License-Identifier: BSD-3-Clause
"""The built tree that scripts/gpu_check runs: bin/ holds the programs, and lib/, where scripts/gpu_check --pack made the
tree, the shared libraries that the machine may lack."""
import glob
import os
import shutil
import tempfile
from pathlib import Path

from gpu_check_child import run_child, say

PACKED, BUILT = "build/packed", "build/gpu_check"
CANDIDATES = (PACKED, "build/ci", "build/release", BUILT)
START_SECONDS = 60


class Tree:
    def __init__(self, folder, with_libraries):
        self.folder = folder.resolve()
        self.libraries = self.folder / "lib" if with_libraries else None

    def program(self, name):
        return self.folder / "bin" / name

    def test_programs(self):
        return sorted(path for path in (self.folder / "bin").glob("*_tests") if os.access(path, os.X_OK))

    def library_path(self):
        """For these programs alone: what other programs find in lib/ may be older than what they need."""
        if self.libraries is None:
            return {}
        before = os.environ.get("LD_LIBRARY_PATH")
        return {"LD_LIBRARY_PATH": f"{self.libraries}:{before}" if before else str(self.libraries)}

    def under(self, tool, program):
        """The command by which a tool starts one of these programs, without the tool getting their libraries."""
        settings = [f"{name}={value}" for name, value in self.library_path().items()]
        return [*tool, *(["env", *settings] if settings else []), program]

    def commit(self):
        """Of the sources: what was written when the tree was packed, or else that of the checkout."""
        try:
            return (self.folder / "commit").read_text().strip()
        except OSError:
            return (say(["git", "rev-parse", "--verify", "--quiet", "HEAD"]) or "").strip()


def find_tree(candidates):
    """The first tree whose launcher starts, if need be with the libraries beside it, or None and what the last said."""
    said = ""
    for folder in candidates:
        for with_libraries in (False, True):
            tree = Tree(folder, with_libraries)
            if not os.access(tree.program("scree"), os.X_OK) or (with_libraries and not tree.libraries.is_dir()):
                continue
            with tempfile.TemporaryFile() as output:
                ended = run_child([tree.program("scree"), "info"], output, output, START_SECONDS,
                                  dict(os.environ, **tree.library_path()))
                if ended.how == "exited" and ended.exit_code == 0:
                    return tree, ""
                output.seek(0)
                told = output.read().decode(errors="replace").strip()[-500:]
            reason = "does not end" if ended.how == "late" else told or ended.why or f"exit code {ended.exit_code}"
            said = f"{tree.program('scree')} does not start: {reason}"
    return None, said


def shows_a_card():
    """Does the system show a card? The launcher's own probe decides later; this is for machines where nothing starts."""
    listed = say(["nvidia-smi", "-L"]) or ""
    return listed.startswith("GPU") or bool(glob.glob("/dev/nvidia[0-9]*")) or os.path.exists("/dev/dxg")


def build_tree(folder, remaining):
    """Builds the tree in what remains of the time; says what went wrong, or nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "build.log"
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    commands = (["cmake", "-S", ".", "-B", folder, *generator, "-DCMAKE_BUILD_TYPE=Release",
                 "-DSCREE_CUDA_ARCHITECTURES=native"],
                ["cmake", "--build", folder, "--parallel", len(os.sched_getaffinity(0))])
    with open(log, "wb") as output:
        for command in commands:
            ended = run_child(command, output, output, max(remaining(), 1))
            if ended.how == "late":
                return f"the build did not end in the time ({log})"
            if ended.exit_code != 0:
                return f"the build failed ({log}): {ended.why or log.read_text(errors='replace').strip()[-500:]}"
    return ""
