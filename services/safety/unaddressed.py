"""Words of others without any address: what is put before a model, or sent as the student's own, names nothing to open.

An address is looked for by its marks and not by its whole form: what would be left of one could make another.
"""

import re

_DROPPED = str.maketrans("", "", "\\*_~`")
"""What Markdown takes out again: "evil\\.example" is shown as an address."""
_ADDRESS = re.compile(
    r"[\w-][.。．｡][^\W\d_]{2}"  # a host; 3.5 and U.S. are none
    r"|\d[.。．｡]\d+[.。．｡]\d+[.。．｡]\d"
    r"|[:@/]{2}|[@＠]"
    r"|\b(?:javascript|vbscript|data|blob|file|tel|sms|https?|mailto):\S"
    r"|&(?:#\w+|period|colon|sol|commat);",
    re.IGNORECASE,
)


def without_addresses(text: str) -> str:
    """The text on one line, with "…" in place of every word that could be an address or a part of one (T03, T06)."""
    return " ".join("…" if _ADDRESS.search(word.translate(_DROPPED)) else word for word in text.split())
