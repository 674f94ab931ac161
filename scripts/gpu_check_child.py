# SPDX-License-Identifier: BSD-3-Clause
"""Commands that may hang. Each has a limit, after which it is killed with all that it started. One that waits inside a
driver may outlive even that: it is left behind, so that nothing here ever waits without an end."""
import os
import signal
import subprocess
import tempfile
import time
from typing import NamedTuple, Optional

# A process that is still there so long after SIGKILL will stay [s].
KILL_SECONDS = 10


class Ended(NamedTuple):
    how: str  # exited; late: killed at its limit; stopped: killed when asked to; not_started
    exit_code: Optional[int]  # negative: the signal that ended it; None: not_started, or still there
    stuck: bool  # not even SIGKILL ended it
    why: str  # of not_started


def run_child(command, output, errors, limit, variables=None, stopped=lambda: False):
    """Runs a command for at most `limit` seconds, or until `stopped()`. Output goes to open files, not pipes: what it has
    written is there whatever becomes of it, and nobody waits for the pipe of a process that does not end."""
    try:
        child = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
                                 env=variables, start_new_session=True)
    except OSError as error:
        return Ended("not_started", None, False, str(error))
    end = time.monotonic() + limit
    try:
        while child.poll() is None:
            how = "stopped" if stopped() else "late" if time.monotonic() > end else ""
            if how:
                ended = kill(child)
                return Ended(how, child.returncode, not ended, "")
            time.sleep(0.02)
    except BaseException:  # Such as an interrupt: it is in a session of its own, and would run on.
        kill(child)
        raise
    return Ended("exited", child.returncode, False, "")


def kill(child):
    """Whether it ended."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    try:
        child.wait(timeout=KILL_SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return True


def say(command, variables=None, limit=30):
    """Output of a short command; None where it fails, hangs or is not there."""
    with tempfile.TemporaryFile() as output:
        ended = run_child(command, output, subprocess.DEVNULL, limit, variables)
        if ended.how != "exited" or ended.exit_code != 0:
            return None
        output.seek(0)
        return output.read().decode(errors="replace")
