"""Week of a student: due work, events, own tasks and free time, from all connected services."""
