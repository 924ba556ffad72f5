"""Runtime of a process: clock, thread pools, limiters, caches, logs and prompt files."""
