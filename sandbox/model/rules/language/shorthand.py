"""Shorthand of messages typed in a hurry, written out before anything is understood: "q", "nxt", "tmw", "wat"."""

import re

WRITTEN_OUT = {
    "q": "que", "xq": "porque", "pq": "porque", "xfa": "por favor", "porfi": "por favor", "pa": "para",
    "tb": "también", "tmb": "también", "bn": "bien", "dsp": "después", "finde": "fin de semana", "mña": "mañana",
    "nxt": "next", "wk": "week", "teh": "the", "exm": "exam", "exms": "exams", "wat": "what", "wats": "what's",
    "wut": "what", "wht": "what", "du": "due", "2moro": "tomorrow", "2morrow": "tomorrow", "tmw": "tomorrow",
    "tmr": "tomorrow", "tmrw": "tomorrow", "2day": "today", "2nite": "tonight", "b4": "before", "asap": "soon",
    "smth": "something", "prolly": "probably", "assgn": "assignment", "assgnmt": "assignment", "cld": "could",
    "shud": "should", "bout": "about", "thurs": "thursday",
}  # fmt: skip
WORD = re.compile(rf"(?<![\w/.@#:'“\"-])(?:{'|'.join(sorted(WRITTEN_OUT, key=len, reverse=True))})(?![\w/@'”\"-])")
"""In small letters only: "Q" and "Du Bois" are names."""
CONTENT = re.compile(r":(?!\d)(?!//)\s*\S|[\"“«]")


def written_out(text: str) -> str:
    """The text without shorthand; what stands in quotes or after a colon is somebody's wording and stays."""
    if text.lstrip().startswith("/"):
        return text
    found = CONTENT.search(text)
    end = found.start() if found else len(text)
    return WORD.sub(lambda match: WRITTEN_OUT[match.group()], text[:end]) + text[end:]
