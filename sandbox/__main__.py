"""`python -m sandbox --port N [--data FILE] [--host ADDRESS]`: the demo campus alone."""

import argparse
import json
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from sandbox.class_list.claims import write_class
from sandbox.class_list.enrolment import enrolled
from sandbox.class_list.personas import MOST_PERSONAS
from sandbox.serve import listen, server
from sandbox.state import State


def main() -> None:
    """Serve until interrupted; the first line printed is the address, once connections are accepted."""
    options = _options()
    listener = listen(options.host, options.port)
    listener.listen(128)
    origin = options.origin or f"http://{options.host}:{listener.getsockname()[1]}"
    database = options.data or Path(tempfile.mkdtemp()) / "campus.sqlite"
    if options.students:
        _make_class(database, options.students)
    campus = server(origin=origin, database=database)
    sys.stdout.write(f"{origin}/sandbox\n")
    if options.students:
        sys.stdout.write(f"{json.dumps(enrolled(database, origin))}\n")
    sys.stdout.flush()
    campus.run(sockets=[listener])


def _make_class(database: Path, students: int) -> None:
    """Write the class into a new file; the presenter's key comes as a line, for arguments can be read by others."""
    with closing(State(database)) as state:
        write_class(state, students=students, presenter_key=sys.stdin.readline().strip())


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m sandbox", description="The demo campus, alone.")
    parser.add_argument("--port", type=int, default=8600, help="0 takes a free port")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--data", type=Path, help="SQLite file that keeps the campus; a temporary one when missing")
    parser.add_argument("--origin", help="public address when it is not http://HOST:PORT")
    help_ = f"play a demo's class of so many, at most {MOST_PERSONAS}; stdin: the presenter's key; prints who they are"
    parser.add_argument("--students", type=int, default=0, help=help_)
    return parser.parse_args()


if __name__ == "__main__":
    main()
