"""DOIs and ISBNs as students write them, checked: https://www.doi.org/doi-handbook/ (2.2), ISO 2108 (check digits)."""

import re

from services.errors import BadArguments

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/[^\s\"<>#?{}|\\^`]{1,180}")
_DOI_LEAD = re.compile(r"\s*(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_ISBN_LEAD = re.compile(r"\s*isbn(?:-1[03])?\s*:?\s*", re.IGNORECASE)
_SEPARATORS = re.compile(r"[\s\-\u2010-\u2015]")


def doi_in_url(url: str) -> str:
    """DOI that an address of doi.org leads to; empty for every other address."""
    return _DOI_LEAD.sub("", url).rstrip(".,;") if re.match(r"\s*https?://(?:dx\.)?doi\.org/10\.", url) else ""


def parse_doi(text: str) -> str:
    """DOI without "doi:" or its address, in lower case, as DOIs are compared. Raises `BadArguments`."""
    doi = _DOI_LEAD.sub("", text, count=1).strip().rstrip(".,;")
    if not _DOI.fullmatch(doi) or ".." in doi.split("/"):
        raise BadArguments("doi: A DOI begins with 10., as 10.1038/nature14539 does.", field="doi")
    return doi.lower()


def parse_isbn(text: str) -> str:
    """ISBN of 13 digits, without hyphens; one of 10 is converted. Raises `BadArguments` for a wrong check digit."""
    digits = _SEPARATORS.sub("", _ISBN_LEAD.sub("", text, count=1)).upper()
    if re.fullmatch(r"\d{9}[\dX]", digits, re.ASCII):
        values = [10 if digit == "X" else int(digit) for digit in digits]
        if sum(weight * value for weight, value in zip(range(10, 0, -1), values, strict=True)) % 11:
            raise _misspelt()
        return f"978{digits[:9]}{_check_digit(f'978{digits[:9]}')}"
    if not re.fullmatch(r"97[89]\d{10}", digits, re.ASCII):
        raise BadArguments("isbn: An ISBN has 10 or 13 digits; one of 13 begins with 978 or 979.", field="isbn")
    if digits[-1] != _check_digit(digits[:-1]):
        raise _misspelt()
    return digits


def _check_digit(digits: str) -> str:
    return str(-sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(digits)) % 10)


def _misspelt() -> BadArguments:
    return BadArguments("isbn: A digit of this ISBN is wrong, its check digit does not fit. Ask for it.", field="isbn")
