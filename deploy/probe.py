"""Health probe of a container: `probe.py /ready`; exit code 0 when Homeroom answers 200 there, else 1 and what it says."""

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
        print(answer.status, answer.read(2000).decode(errors="replace"))
    except OSError as error:
        print(f"Nobody answers on port {connection.port}: {error}")
        return 1
    return 0 if answer.status == 200 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
