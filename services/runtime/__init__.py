"""What every process has once: clock, thread pools, limiters, caches, logs and files of its own."""
