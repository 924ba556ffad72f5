"""Demo campus: Starlette apps that play the outside world. Imports nothing of ours."""
