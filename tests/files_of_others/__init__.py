"""Files that others wrote: what a reader must make of them, by kind.

A test is a kind's law, and each of its parameters is a file that is tried: the given ones are named "B13", as in
`cases/`, the others are siblings that were built after public reports about other programs. One file for each room
(`test_words.py`, …). `python -m tests.files_of_others` prints kind → tried → right.
"""

from pathlib import Path

_CASES = Path(__file__).parent / "cases"


def case(name: str) -> bytes:
    """Bytes of a given case, as "B13.docx"."""
    return (_CASES / name).read_bytes()
