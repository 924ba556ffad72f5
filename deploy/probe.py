"""Health probe of a container: `probe.py /ready` ends with 0 when Homeroom answers 200 there, else with 1."""

import http.client
import os
import sys

TIMEOUT_S = 5.0


def main(path: str) -> int:
    connection = http.client.HTTPConnection(
        "127.0.0.1", int(os.environ.get("HOMEROOM_PORT") or 8501), timeout=TIMEOUT_S
    )
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        sys.stdout.write(f"{answer.status} {answer.read(2000).decode(errors='replace')}\n")
    except OSError as error:
        sys.stdout.write(f"Nobody answers on port {connection.port}: {error}\n")
        return 1
    return 0 if answer.status == 200 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
