"""Text normalisation: one spelling for what people write in many ways, with forms and quotations marked."""

import re
import unicodedata

UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
"""Letters of scripts without spaces between words: Han, kana and Thai."""
QUOTE = "xxquote"
"""The word that stands in place of a quotation."""

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_DRAWN_OUT = re.compile(r"(\w)\1{2,}")
_INNER_VOWELS = re.compile(r"(?<=\S)[aeiouy]+")
_DOUBLED = re.compile(r"(\S)\1+")
_SPACES = re.compile(r"\s+")
_PUNCTUATION = str.maketrans(
    {**dict.fromkeys("’‘´`", "'"), **dict.fromkeys("“”„«»", '"'), **dict.fromkeys("–—", "-"), "…": " "}
)
_BASE_LETTERS = str.maketrans("øđłıæœßðþ", "odlieosdt")
_QUOTATION = re.compile(r"\"([^\"]+)\"|(?<!\w)'([^\"]{1,600}?)'(?!\w)")
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
    r"(?:py|js|ts|md|txt|json|ya?ml|toml|java|cpp|c|h|rs|go|r|ipynb|html|css|csv|xlsx?|docx?|pptx?|odt|ods|rtf|epub|pdf"
    r"|tex|sql|sh|env)"
)
_NO_KEY = r"(?!covid|utf|iso|sha|ps|gpt|sat|gre|mp|rtx|boeing)"
_NO_COURSE = (
    r"(?!(?:at|in|on|by|to|of|or|and|for|the|top|last|next|past|first|room|page|over|week|year|than|from|until|under|about"
    r"|only|just|least|most|are|is|was|los|las|de|en|el|la|son|hay|error|http|code|line|unas|unos|me|my|i) ?\d)"
)
PATTERNS = (
    ("address", rf"https?://\S+|www\.\S+|\b[\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{0,9}}\.{_TOP}(?:/\S*)?(?![\w.@])"),
    ("mailbox", r"\b[\w.+-]{1,64}@[\w-]{1,63}\.[\w.]{1,255}\b"),
    ("file", rf"\b[\w-]{{1,100}}\.{_FILE}\b"),
    ("slug", r"(?<![\w/.])[a-z][\w-]{0,62}[a-z\d]/[a-z][\w.-]{0,100}\w(?![\w/])"),
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
_ANY_PATTERN = re.compile("|".join(f"(?P<{kind}>{form})" for kind, form in PATTERNS))
_PATTERN_SIGN = re.compile(r"[\d./@]")
"""A text without one of these has none of `PATTERNS`."""
_WEEKDAY = re.compile(rf"\b(?:{_DAY})\b")
# Names of days and files say something themselves; the rest is noise that no two messages share.
_KEPT = frozenset(("file", "coursecode", "date"))


def normalise(text: str) -> str:
    """Lower case, without accents, letters at most twice in a row, single spaces."""
    text = text.translate(_PUNCTUATION).lower()
    if not text.isascii():
        parts = unicodedata.normalize("NFKD", text)
        bare = "".join(letter for letter in parts if not unicodedata.combining(letter))
        text = unicodedata.normalize("NFC", bare.translate(_BASE_LETTERS))
    return _SPACES.sub(" ", _DRAWN_OUT.sub(r"\1\1", text)).strip()


def words_of(text: str) -> list[str]:
    """The words of a normalised text; numbers by their length only, signs of unspaced scripts one by one."""
    if UNSPACED.search(text):
        text = UNSPACED.sub(lambda match: f" {match.group()} ", text)
    return ["0" * min(len(word), 4) if word.isdigit() else word for word in _WORD.findall(text)]


def consonants(text: str) -> str:
    """A normalised text without what is mistyped most: vowels inside its words, and doubled letters."""
    return _DOUBLED.sub(r"\1", _INNER_VOWELS.sub("", text))


def split_quotes(text: str) -> tuple[str, str]:
    """A normalised text with `QUOTE` for each quotation, and all that was quoted; a text that only quotes is whole."""
    if '"' not in text and "'" not in text:
        return text, ""
    unquoted = _QUOTATION.sub(f" {QUOTE} ", text)
    if all(word == QUOTE for word in words_of(unquoted)):
        return text, ""
    return unquoted, " ".join(double or single for double, single in _QUOTATION.findall(text))


def mark_patterns(text: str) -> tuple[str, tuple[str, ...]]:
    """A normalised text with each form replaced by a word of its kind ("xxdate"), and the kinds that were found."""
    kinds: list[str] = []

    def marker(match: re.Match[str]) -> str:
        kind = match.lastgroup or ""
        kinds.append(kind)
        return f" xx{kind} {match.group() if kind in _KEPT else ''} "

    marked = _ANY_PATTERN.sub(marker, text) if _PATTERN_SIGN.search(text) else text
    marked, days = _WEEKDAY.subn(r" xxweekday \g<0> ", marked)
    return marked, (*kinds, "weekday") if days else tuple(kinds)
