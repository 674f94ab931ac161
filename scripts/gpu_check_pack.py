# SPDX-License-Identifier: BSD-3-Clause
"""The archive of scripts/gpu_check --pack: one folder `gpu_check` with

    scripts/, scenes/    the check, and the scenes with their data
    build/packed/bin     the launcher and the test programs that hold GPU tests, stripped
    build/packed/lib     the shared libraries that they need, without the C library's own parts: those must fit the
                         kernel and the loader of the machine
    build/packed/commit  of the sources
"""
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from gpu_check_child import say
from gpu_check_reports import parse_json, tests_in
from gpu_check_tree import PACKED

FORMATS = {".tgz": "w:gz", ".tar.gz": "w:gz", ".tar.xz": "w:xz"}
OF_THE_C_LIBRARY = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util))\.so")
MIB = 1 << 20


def programs_of(folder):
    """The launcher and the test programs that hold GPU tests."""
    programs = [folder / "bin" / "scree"]
    for program in sorted((folder / "bin").glob("*_tests")):
        if any("Gpu" in f"{group}.{name}" for group, names in (tests_in(program) or {}).items() for name in names):
            programs.append(program)
    return programs


def has_cuda(scree):
    """False where the launcher says that it was built without."""
    info = parse_json(say([scree, "info", "--json"]) or "") or {}
    return all(backend.get("built", True) for backend in info.get("backends", []))


def libraries_of(programs):
    """Where this machine has the shared libraries that the programs need; the ones that it lacks."""
    found, missing = set(), set()
    for program in programs:
        for line in (say(["ldd", program]) or "").splitlines():
            name, arrow, place = line.strip().partition(" => ")
            if not arrow or OF_THE_C_LIBRARY.match(name):
                continue
            if place.startswith("/"):
                found.add(Path(place.split(" ")[0]))
            else:
                missing.add(name)
    return sorted(found), sorted(missing)


def copy_stripped(source, target):
    """Without symbols, which the check does not read. Scripts, and programs where there is no strip, as they are."""
    with open(source, "rb") as file:
        is_program = file.read(4) == b"\x7fELF"
    stripped = is_program and shutil.which("strip") is not None and subprocess.run(
        ["strip", "-o", target, source], stderr=subprocess.DEVNULL, check=False).returncode == 0
    if not stripped:
        shutil.copyfile(source, target)
    target.chmod(0o755)


def gather(built, programs, libraries, folder):
    """Puts everything into `folder`."""
    packed = folder / PACKED
    for place in (packed / "bin", packed / "lib", folder / "scripts", folder / "scenes"):
        place.mkdir(parents=True)
    for program in programs:
        copy_stripped(program, packed / "bin" / program.name)
    for library in libraries:
        shutil.copyfile(library, packed / "lib" / library.name)
    for script in Path("scripts").glob("gpu_check*"):
        shutil.copy(script, folder / "scripts")
    for scene in Path("scenes").glob("*.yaml"):
        shutil.copy(scene, folder / "scenes")
    shutil.copytree("scenes/data", folder / "scenes" / "data")
    shutil.copy("LICENSE", folder)
    commit = say(["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]) or ""
    (packed / "commit").write_text(commit.strip() + "\n")


def size_of(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def anonymous(member):
    """The archive says nothing of who made it."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def pack(candidates, file, limit):
    """Writes the archive; an exit code."""
    mode = next((mode for ending, mode in FORMATS.items() if file.name.endswith(ending)), None)
    if mode is None:
        print(f"error: --pack {file.name}: a name that ends in {', '.join(FORMATS)} is expected", file=sys.stderr)
        return 1
    built = next((folder for folder in candidates if os.access(folder / "bin" / "scree", os.X_OK)), None)
    if built is None:
        names = ", ".join(str(folder) for folder in candidates)
        print(f"error: there is no built tree to pack: no bin/scree in {names}", file=sys.stderr)
        return 1
    if not has_cuda(built / "bin" / "scree"):
        print(f"error: {built} was built without CUDA", file=sys.stderr)
        return 1
    programs = programs_of(built)
    libraries, missing = libraries_of(programs)
    if missing:
        print(f"error: {built}/bin needs {', '.join(missing)}, which this machine lacks", file=sys.stderr)
        return 1
    if len(programs) == 1:
        print(f"error: no GPU test in {built}/bin/*_tests [a build with SCREE_TESTS]", file=sys.stderr)
        return 1
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(file.name + ".part")
    with tempfile.TemporaryDirectory(prefix="gpu_check_") as scratch:
        folder = Path(scratch) / "gpu_check"
        gather(built, programs, libraries, folder)
        with tarfile.open(unfinished, mode) as archive:
            archive.add(folder, "gpu_check", filter=anonymous)
        sizes = ", ".join(f"{place} {size_of(folder / place) / MIB:.1f}"
                          for place in (f"{PACKED}/bin", f"{PACKED}/lib", "scenes"))
    size = unfinished.stat().st_size
    told = f"{size / MIB:.1f} MiB (unpacked: {sizes} MiB)"
    if size > limit * MIB:
        unfinished.unlink()
        print(f"error: {file.name} would take {told}, more than {limit} MiB [.tar.xz is smaller than .tgz; --limit MIB]",
              file=sys.stderr)
        return 1
    unfinished.replace(file)
    print(f"gpu_check: {file}, {told}: {', '.join(program.name for program in programs)} of {built}, "
          f"{len(libraries)} libraries")
    return 0
