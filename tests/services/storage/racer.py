"""A program that claims documents against others like it, and says which it won.

python -m tests.services.storage.racer ADDRESS NAME COUNT; it starts when a line comes on its standard input.
"""

import sys

from tests.services.storage.writer import open_address, say

if __name__ == "__main__":
    address, name, count = sys.argv[1:]
    engine = open_address(address)
    engine.ping()
    say("ready")
    sys.stdin.readline()
    for n in range(int(count)):
        if engine.compare_and_set("notes", f"n{n}", {"by": None}, {"by": name}):
            say(str(n))
    engine.close()
