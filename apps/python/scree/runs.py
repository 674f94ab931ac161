# SPDX-License-Identifier: BSD-3-Clause
"""Runs by the launcher, and what they wrote. No other package is needed; with NumPy, which is taken where it is installed,
columns and fields are its arrays, without it lists.

Runs are processes of their own: an error in one is a scree.Error here, and many may go at once, as by
concurrent.futures.ThreadPoolExecutor.
"""
import base64
import csv
import functools
import json
import math
import os
import re
import shutil
import struct
import subprocess
import tempfile
import xml.etree.ElementTree
from collections.abc import Mapping, Sequence
from pathlib import Path

try:
    import numpy
except ImportError:
    numpy = None

__all__ = ["Error", "Frame", "Run", "check", "open_run", "program", "restart", "run"]

_NUMBERS = {"Float64": "d", "Float32": "f", "Int64": "q", "Int32": "i", "UInt64": "Q", "UInt32": "I", "UInt8": "B"}


class Error(RuntimeError):
    """What the launcher said; `code` is its exit code (docs/launcher.md)."""

    def __init__(self, message, code=None):
        super().__init__(message)
        self.code = code


def program():
    """The launcher: the environment's SCREE, or `scree` in PATH, or what was built last in this file's own tree."""
    named = os.environ.get("SCREE")
    if named:
        return named
    built = sorted(Path(__file__).resolve().parents[3].glob("build/*/bin/scree"), key=lambda p: p.stat().st_mtime)
    found = shutil.which("scree") or (str(built[-1]) if built else None)
    if found is None:
        raise Error("there is no scree in PATH; set the environment's SCREE to the launcher")
    return found


def _call(words):
    try:
        done = subprocess.run([program(), *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise Error(f"{program()}: {error.strerror}") from None
    if done.returncode != 0:
        told = done.stderr.strip() or done.stdout.strip() or f"scree ended with {done.returncode}"
        raise Error(told, done.returncode)
    return done


def _plain(value):
    """Maps, lists, texts, numbers: what YAML has of what Python and NumPy have."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):  # NumPy's arrays and numbers
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _yaml(value, indent=None):
    """JSON, which is YAML."""
    try:
        return json.dumps(_plain(value), ensure_ascii=False, indent=indent)
    except TypeError as error:
        raise Error(f"a scene cannot hold this: {error}") from None


def _value(value):
    """As `--set` takes it: texts as they are."""
    value = _plain(value)
    return value if isinstance(value, str) else _yaml(value)


def _overrides(set):
    return [f"{key}={_value(value)}" for key, value in (set or {}).items()]


def _options(set=None, threads=None, backend=None, precision=None, until=None, steps=None, force=False):
    words = []
    for override in _overrides(set):
        words += ["--set", override]
    given = {"--threads": threads, "--backend": backend, "--precision": precision, "--until": until, "--steps": steps}
    for name, value in given.items():
        if value is not None:
            words += [name, str(value)]
    return words + (["--force"] if force else [])


def _path(path):
    """For the command line, where a name that begins with - is an option."""
    path = os.fspath(path)
    return os.path.join(".", path) if path.startswith("-") else path


def _scene_file(scene, folder):
    """The scene's file; a dict is written to FOLDER.scene.yaml, beside the folder of its run."""
    if not isinstance(scene, Mapping):
        return _path(scene)
    folder = Path(folder)
    if not folder.name:
        raise Error(f"{str(folder)!r} is no name of a folder for a run whose scene is a dict")
    path = folder.with_name(folder.name + ".scene.yaml")
    text = _yaml(scene, indent=1)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", encoding="utf-8")
    return _path(path)


def run(scene, out, *, set=None, threads=None, backend=None, precision=None, until=None, steps=None, force=False):
    """Runs a scene (a file or a dict) into the folder `out`; returns its Run.

    set: overrides of values, as {"time.step": "0.5 ms", "pairs.0.friction": 0.3}. until [s], steps: where to end.
    force: whether `out` may hold an earlier run, which is replaced. Raises Error; what was written until then stays.
    """
    options = _options(set, threads, backend, precision, until, steps, force)
    if not force and (Path(out) / "scene.yaml").exists():  # before its scene is written anew
        raise Error(f"{out} holds a run already: give another folder, or force=True to replace it", 1)
    _call(["run", _scene_file(scene, out), "-o", _path(out), "--quiet", *options])
    return Run(out)


def restart(source, out=None, *, set=None, threads=None, backend=None, until=None, steps=None, force=False):
    """Continues a run (its folder, its Run, or a checkpoint), in place or into the folder `out`; returns its Run."""
    source = source.folder if isinstance(source, Run) else Path(source)
    options = _options(set, threads, backend, until=until, steps=steps, force=force)
    into = ["-o", _path(out)] if out is not None else []
    _call(["restart", _path(source), *into, "--quiet", *options])
    return Run(out if out is not None else source if source.is_dir() else source.parent)


def check(scene, *, set=None, folder="."):
    """What `scree check --json` says of a scene, a file or a dict, without running it: a dict. Files that a dict names are
    looked for in `folder`; for run(), that is the parent of `out`.
    """
    if isinstance(scene, Mapping):
        try:
            file = tempfile.NamedTemporaryFile("w", dir=folder, suffix=".scene.yaml", encoding="utf-8")
        except OSError as error:
            raise Error(f"{os.fspath(folder)}: {error.strerror}") from None
        with file:
            file.write(_yaml(scene))
            file.flush()
            try:
                return check(file.name, set=set)
            except Error as error:  # the dict has no lines
                raise Error(re.sub(re.escape(file.name) + r"(:\d+)*", "scene", str(error)), error.code) from None
    return json.loads(_call(["check", _path(scene), "--json", *_options(set)]).stdout)


def open_run(folder):
    """The Run that an earlier `scree run` wrote into a folder."""
    return Run(folder)


class Run:
    """What is in the folder of a run. All is read when it is asked for first."""

    def __init__(self, folder):
        self.folder = Path(folder).absolute()
        if not (self.folder / "summary.json").is_file():
            raise Error(f"{self.folder} holds no summary.json: not the folder of a run that came to an end")

    def __repr__(self):
        return f"scree.Run({str(self.folder)!r})"

    @functools.cached_property
    def summary(self):
        """summary.json: a dict."""
        return json.loads((self.folder / "summary.json").read_text(encoding="utf-8"))

    @functools.cached_property
    def series(self):
        """series.csv: a dict of columns, `time` [s] the first."""
        return self.table("series")

    def table(self, name):
        """NAME.csv (`field_PROBE`, `joints`, ...): a dict of columns."""
        path = self.folder / f"{name}.csv"
        if not path.is_file():
            raise Error(f"{self.folder} holds no {path.name}")
        with open(path, newline="", encoding="utf-8") as file:
            rows = csv.reader(file)
            names = next(rows)
            columns = list(zip(*([float(value) for value in row] for row in rows)))
        return {n: _array(columns[k] if columns else (), "d") for k, n in enumerate(names)}

    @property
    def frames(self):
        """The bodies at the times of `output.interval`: a sequence of Frame, read one by one."""
        return self.pictures("particles")

    def pictures(self, stem):
        """As `frames`, of another collection: `walls`, `contacts`, `surfaces`."""
        return _Frames(self.folder, stem)


class _Frames(Sequence):
    def __init__(self, folder, stem):
        collection = folder / f"{stem}.pvd"
        if not collection.is_file():
            raise Error(f"{folder} holds no {collection.name}: output.{stem} was off, or there is nothing of the kind")
        items = xml.etree.ElementTree.parse(collection).iter("DataSet")
        self._items = [(float(item.get("timestep")), folder / item.get("file")) for item in items]

    def __len__(self):
        return len(self._items)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [Frame(*item) for item in self._items[index]]
        return Frame(*self._items[index])


class Frame(Mapping):
    """The fields of one file of ParaView's, by their names (docs/output.md); `points` are the positions [m].

    NumPy: arrays of n, or n x 3. Without: lists of numbers, or of tuples.
    """

    def __init__(self, time, path):
        self.time = time
        self.path = Path(path)
        self._read = {}

    def __repr__(self):
        return f"scree.Frame({self.time!r}, {str(self.path)!r})"

    @functools.cached_property
    def _fields(self):
        text = self.path.read_text(encoding="ascii")
        fields = {}
        for attributes, data in re.findall(r"<DataArray([^>]*)>\s*([^<]*)</DataArray>", text):
            about = dict(re.findall(r'(\w+)="([^"]*)"', attributes))
            fields[about["Name"]] = (about, data)
        return fields

    def __getitem__(self, name):
        if name not in self._read:
            self._read[name] = self._decoded(*self._fields[name])
        return self._read[name]

    @staticmethod
    def _decoded(about, data):
        code = _NUMBERS[about["type"]]
        packed = base64.b64decode(data)
        (size,) = struct.unpack_from("<Q", packed)
        width = int(about.get("NumberOfComponents", "1"))
        if numpy is not None:
            flat = numpy.frombuffer(packed, "<" + code, size // struct.calcsize(code), 8)
            return flat.reshape(-1, width) if width > 1 else flat
        flat = struct.unpack_from(f"<{size // struct.calcsize(code)}{code}", packed, 8)
        return list(zip(*[iter(flat)] * width)) if width > 1 else list(flat)

    def __iter__(self):
        return iter(self._fields)

    def __len__(self):
        return len(self._fields)


def _array(values, code):
    return numpy.asarray(values, code) if numpy is not None else list(values)
