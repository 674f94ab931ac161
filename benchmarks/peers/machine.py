# SPDX-License-Identifier: BSD-3-Clause
"""Which peers are here, in which version, and what machine this is."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

# peer -> the Debian package whose version is told, and all that --install asks for
PACKAGES = {
    "siconos": ["python3-siconos", "python3-numpy", "python3-scipy"],
    "lammps": ["lammps"],
    "bullet": ["libbullet-dev", "pkg-config"],
    "ode": ["libode-dev", "pkg-config"],
}


def processor():
    found = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return found.group(1) if found else "unknown processor"


def version(package):
    """Of a Debian package; None when it is not installed or this is no Debian."""
    if shutil.which("dpkg-query") is None:
        return None
    found = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=False)
    return found.stdout or None if found.returncode == 0 else None


def scree_version(scree):
    return subprocess.run([scree, "--version"], capture_output=True, text=True, check=True).stdout.strip()


def describe(scree):
    return {"date": time.strftime("%Y-%m-%d"), "processor": processor(), "cores": os.cpu_count(), "threads": 1,
            "load_before": [round(x, 2) for x in os.getloadavg()], "scree": scree_version(scree),
            "peers": {peer: version(packages[0]) for peer, packages in PACKAGES.items()}}


def install():
    """Asks apt-get for the peers that are not here."""
    if shutil.which("apt-get") is None:
        sys.exit("error: --install needs apt-get; install the peers by hand: " + ", ".join(PACKAGES))
    wanted = sorted({p for packages in PACKAGES.values() for p in packages if version(p) is None})
    if wanted:
        root = [] if os.geteuid() == 0 else ["sudo"]
        subprocess.run([*root, "apt-get", "install", "-y", "--no-install-recommends", *wanted], check=True)
        print("installed: " + " ".join(wanted) + "; Bullet's and ODE's drivers need a build after this")


def one_thread():
    """For this process and all that it starts."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
