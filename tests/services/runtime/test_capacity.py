"""What is left is looked at seldom and counted in between, and where nobody tells there is no limit."""

import resource
from pathlib import Path

from services.runtime.capacity import KEPT_FILES, MEASURE_EVERY_S, Capacity, free_memory, process_capacity


def test_those_who_come_between_two_looks_count() -> None:
    now, opened = [0.0], [0]
    room = Capacity(limit=16, opened=lambda: opened[0], free_bytes=lambda: None, monotonic=lambda: now[0])

    crowd = [room.admits(4, is_stranger=False) for _ in range(5)]
    now[0] = MEASURE_EVERY_S
    later = room.admits(4, is_stranger=False)

    assert (crowd, later) == ([True, True, True, False, False], True)


def test_of_many_files_only_a_few_are_kept_and_a_look_that_fails_is_a_full_house() -> None:
    def none_left() -> int:
        raise OSError(24, "Too many open files")

    roomy = Capacity(limit=10_000, opened=lambda: 10_000 - KEPT_FILES, free_bytes=lambda: None)
    full = Capacity(limit=10_000, opened=none_left, free_bytes=lambda: None)
    unknown = Capacity(limit=None, opened=none_left, free_bytes=lambda: None)

    assert [capacity.is_short() for capacity in (roomy, full, unknown)] == [False, True, False]


def test_the_limit_is_raised_as_far_as_this_process_may() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, before[1]), before[1]))
    try:
        is_short = process_capacity().is_short()

        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == min(before[1], 65_536)
        assert not is_short
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_container_may_use_what_it_was_given_and_no_more_than_the_machine_has(tmp_path: Path) -> None:
    group = tmp_path / "sys/fs/cgroup/homeroom.service"
    group.mkdir(parents=True)
    (tmp_path / "proc/self").mkdir(parents=True)
    nowhere = free_memory(tmp_path)
    (tmp_path / "proc/meminfo").write_text("MemTotal: 900 kB\nMemAvailable:     500 kB\nSwapFree:  100 kB\n")
    machine = free_memory(tmp_path)
    (tmp_path / "proc/self/cgroup").write_text("0::/homeroom.service\n")
    (group / "memory.max").write_text("400000\n")
    (group / "memory.current").write_text("390000\n")
    (group / "memory.stat").write_text("anon 300000\ninactive_file 20000\n")

    assert (nowhere, machine, free_memory(tmp_path)) == (None, 600 * 1024, 30_000)
    (group / "memory.max").write_text("max\n")
    assert free_memory(tmp_path) == machine
