"""`python -m sandbox --port N [--data FILE] [--host ADDRESS]`: the demo campus alone."""

import argparse
import sys
import tempfile
from pathlib import Path

from sandbox.serve import listen, server


def main() -> None:
    """Serve until interrupted; the first line printed is the address, once connections are accepted."""
    options = _options()
    listener = listen(options.host, options.port)
    listener.listen(128)
    origin = options.origin or f"http://{options.host}:{listener.getsockname()[1]}"
    campus = server(origin=origin, database=options.data or Path(tempfile.mkdtemp()) / "campus.sqlite")
    sys.stdout.write(f"{origin}/sandbox\n")
    sys.stdout.flush()
    campus.run(sockets=[listener])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m sandbox", description="The demo campus, alone.")
    parser.add_argument("--port", type=int, default=8600, help="0 takes a free port")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--data", type=Path, help="SQLite file that keeps the campus; a temporary one when missing")
    parser.add_argument("--origin", help="public address when it is not http://HOST:PORT")
    return parser.parse_args()


if __name__ == "__main__":
    main()
