"""A process that has a hostile server and ends, without closing anything, when its stdin does.

python -m tests.mcp.short_life FOLDER PLAN
"""

import json
import sys
from pathlib import Path

from tests.mcp.rooms import McpRoom, hostile

if __name__ == "__main__":
    room = McpRoom(Path(sys.argv[1]), {"bad": hostile(**json.loads(sys.argv[2]))})
    room.up()
    sys.stdout.write("up\n")
    sys.stdout.flush()
    sys.stdin.read()
