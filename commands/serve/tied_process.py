"""Program that becomes another one and ends with its parent.

python -m commands.serve.tied_process PARENT PROGRAM…
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
"""prctl(2): the signal that a process gets when its parent ends; it is kept by execve(2)."""


def main(parent: int, program: list[str]) -> None:
    """Replace this process; a parent that was killed (Linux) takes it along, with time to end its turns."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit(1)
    os.execv(program[0], program)  # noqa: S606 - our own program


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
