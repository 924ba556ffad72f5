"""`marked`: what has a form rather than a meaning (addresses, issue keys, dates) is replaced by its kind."""

import re

_DAY = (
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?"
    r"|lunes|martes|miercoles|jueves|viernes|sabado|domingo"
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre"
    r"|diciembre)"
)
_TOP = r"(?:com|org|net|edu|io|gov|ly|co|dev|app|ai|es|mx|eu|uk|de|fr|ac)"
_FILE = (
    r"(?:py|js|ts|md|txt|json|ya?ml|toml|java|cpp|c|h|rs|go|r|ipynb|html|css|csv|xlsx?|docx?|pptx?|pdf|tex|sql|sh|env)"
)
_NO_KEY = r"(?!covid|utf|iso|sha|ps|gpt|sat|gre|mp|rtx|boeing)"
_NO_COURSE = (
    r"(?!(?:at|in|on|by|to|of|or|and|for|the|top|last|next|past|first|room|page|over|week|year|than|from|until|under|about"
    r"|only|just|least|most|are|is|was|los|las|de|en|el|la|son|hay|error|http|code|line|unas|unos|me|my|i) ?\d)"
)
KINDS = (
    ("address", rf"https?://\S+|www\.\S+|\b[\w-]+(?:\.[\w-]+)*\.{_TOP}(?:/\S*)?(?![\w.@])"),
    ("mailbox", r"\b[\w.+-]+@[\w-]+\.[\w.]+\b"),
    ("file", rf"\b[\w-]+\.{_FILE}\b"),
    ("slug", r"(?<![\w/.])[a-z][\w-]*[a-z\d]/[a-z][\w.-]*\w(?![\w/])"),
    ("version", r"\bv\d+(?:\.\d+)+\b|\b\d+\.\d+\.\d+\b"),
    ("numbered", r"(?<!\w)#\d+\b"),
    ("clock", r"\b\d{1,2}(?::\d\d)? ?[ap]\.?m\b\.?|\b\d{1,2}[:h]\d\d\b"),
    (
        "date",
        rf"\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?\b|\b{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?\b"
        rf"|\b\d{{1,2}}(?:st|nd|rd|th)?(?: de| of)? {_MONTH}\b",
    ),
    ("issuekey", rf"\b{_NO_KEY}[a-z]{{2,10}}-\d{{1,5}}\b"),
    ("coursecode", rf"\b{_NO_COURSE}[a-z]{{2,5}} ?\d{{3}}[a-z]?\b"),
    ("money", r"[$€£]\s?\d[\d.,]*"),
    ("percent", r"\b\d+(?:[.,]\d+)? ?%"),
)
_ALL = re.compile("|".join(f"(?P<{kind}>{form})" for kind, form in KINDS))
_MAY_BE = re.compile(r"[\d./@]")
"""Without one of these in a text there is none of `KINDS`."""
_WEEKDAY = re.compile(rf"\b(?:{_DAY})\b")
# Names of days and files say something themselves; the rest is noise that no two messages share.
_KEPT = frozenset(("file", "coursecode", "date"))


def marked(text: str) -> tuple[str, tuple[str, ...]]:
    """A normalised text with each form replaced by a word of its kind ("xxdate"), and the kinds that were found."""
    found: list[str] = []

    def replaced(match: re.Match[str]) -> str:
        kind = match.lastgroup or ""
        found.append(kind)
        return f" xx{kind} {match.group() if kind in _KEPT else ''} "

    told = _ALL.sub(replaced, text) if _MAY_BE.search(text) else text
    told, days = _WEEKDAY.subn(r" xxweekday \g<0> ", told)
    return told, (*found, "weekday") if days else tuple(found)
