"""Many files of one course, made by a rule when a test asks for them: a number in, a text about it out."""

from sandbox.canvas.school import Row

TYPES = (("md", "text/markdown"), ("txt", "text/plain"), ("html", "text/html"))
TOPICS = ("osmosis", "recursion", "entropy", "rhetoric", "convergence", "perception", "treaties", "orbitals", "syntax")
FIRST_ID = 9_100_000


def row_of_many(course_id: int, number: int, module_id: int | None, posted_at: str) -> Row:
    """The row of the file with this number, counted from 1."""
    topic = TOPICS[number % len(TOPICS)]
    ending, kind = TYPES[number % len(TYPES)]
    return {
        "id": FIRST_ID + course_id % 1000 * 1000 + number,
        "course_id": course_id,
        "source": None,
        "title": f"Reading {number:03}: {topic}",
        "module_id": module_id,
        "order": 60 + number,
        "created_at": posted_at,
        "updated_at": posted_at,
        "unlock_at": None,
        "lock_at": None,
        "locked": False,
        "hidden": False,
        "unpublished": False,
        "only": None,
        "name": f"reading-{number:03}.{ending}",
        "folder": f"Many/{(number - 1) // 50 + 1}",
        "type": kind,
        "number": number,
    }


def page_of_many(row: Row) -> bytes:
    """About a page of text that no other number has; each second names the number in a sentence to search for."""
    number = row["number"]
    topic = TOPICS[number % len(TOPICS)]
    lines = [f"# {row['title']}", ""]
    for at in range(1, 9):
        other = TOPICS[(number * at + at) % len(TOPICS)]
        lines += [
            f"Section {at} of reading {number:03} compares {topic} with {other} and counts {number * at} cases of it.",
            "The author gives two reasons and one exception, and asks the reader to find a third.",
            "",
        ]
    lines += [f"The marker of this reading is quill-{number:03}.", ""]
    text = "\n".join(lines)
    if row["type"] == "text/html":
        body = "".join(f"<p>{line}</p>\n" for line in lines if line)
        text = f"<!doctype html><html><head><title>{row['title']}</title></head><body>\n{body}</body></html>\n"
    return text.encode()
