"""What a running process has used, as the kernel tells (Linux)."""

import time
from pathlib import Path

_SCHEDULED = 2
"""The clock of a process that counts user and system time together (`CPUCLOCK_SCHED`)."""


def cpu_seconds(pid: int) -> float:
    """User and system time of all its threads so far, to the microsecond; /proc has it in hundredths of a second."""
    return time.clock_gettime(~pid << 3 | _SCHEDULED)  # clock_getcpuclockid(3)


def resident_mib(pid: int) -> float:
    """Memory it holds now."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024
