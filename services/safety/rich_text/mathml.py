"""MathML as TeX (https://www.w3.org/TR/mathml-core/): "\\frac{a}{b+1}", "\\bar{x}"."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from services.safety.rich_text import tex

_DEEPEST = 60
_OPENING, _CLOSING = "([{⟨⌊⌈|‖", ")]}⟩⌋⌉|‖"
_INVISIBLE = frozenset(("mphantom", "annotation", "annotation-xml", "mprescripts", "maligngroup", "malignmark", "none"))
_SUMS = frozenset("∑∏∐⋃⋂⋁⋀∫∬∭∮")


def mathml_tex(element: Any) -> str:
    """TeX of a `math` element: the author's own where it is left as a note, else made from its parts."""
    for note in element.iter("{*}annotation"):
        if "tex" in note.get("encoding", "").casefold() and (note.text or "").strip():
            return str(note.text).strip()
    made = _children(element, 0)
    return made if made.strip() else (element.get("alttext") or "").strip()


def _children(element: Any, depth: int) -> str:
    """Parts in a row; fences that stand alone are put around what is between them."""
    if depth > _DEEPEST:
        return tex.letters_tex("".join(element.itertext()))
    parts = [child for child in element.iterchildren() if isinstance(child.tag, str)]
    if len(parts) >= 3 and _is_fence(parts[0], _OPENING) and _is_fence(parts[-1], _CLOSING):
        inner = tex.joined(_part(part, depth + 1) for part in parts[1:-1])
        return tex.enclosed(inner, _sign_of(parts[0]), _sign_of(parts[-1]))
    return tex.joined(_parts(parts, depth))


def _parts(parts: Sequence[Any], depth: int) -> Iterator[str]:
    at = 0
    while at < len(parts):
        # A fraction without a bar between brackets is a binomial, wherever they stand.
        triple = parts[at : at + 3]
        if len(triple) == 3 and _name(triple[1]) == "mfrac" and _is_fence(triple[0], "(") and _is_fence(triple[2], ")"):
            yield tex.enclosed(_part(triple[1], depth + 1), "(", ")")
            at += 3
        else:
            yield _part(parts[at], depth + 1)
            at += 1


def _part(part: Any, depth: int) -> str:
    kind = _name(part)
    if kind in _INVISIBLE or _is_hidden(part):
        return ""
    if kind in ("mi", "ms", "mtext", "mn", "mo"):
        return _token(part, kind)
    if kind == "mspace":
        return " "
    if kind == "mtable":
        rows = (row for row in part.iterchildren("{*}mtr", "mtr", "{*}mlabeledtr", "mlabeledtr"))
        return tex.rows_tex((_children(cell, depth) for cell in row.iterchildren("{*}mtd", "mtd")) for row in rows)
    if kind in ("mfrac", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts"):
        return _built(part, kind, depth)
    if kind == "msqrt":
        return tex.root(_children(part, depth))
    if kind == "mfenced":
        separator = (part.get("separators", ",") or " ").strip()[:1] + " "
        inner = separator.join(_part(child, depth + 1) for child in part.iterchildren())
        return tex.enclosed(inner, part.get("open", "("), part.get("close", ")"))
    if kind == "menclose":
        inner, notation = _children(part, depth), part.get("notation", "")
        if "radical" in notation:
            return tex.root(inner)
        return f"\\cancel{{{inner}}}" if "strike" in notation else f"\\boxed{{{inner}}}" if "box" in notation else inner
    if kind == "semantics":
        return _part(next(part.iterchildren(), part), depth + 1) if len(part) and depth < _DEEPEST else ""
    return _children(part, depth)


def _built(part: Any, kind: str, depth: int) -> str:
    """Parts that are made of two or three others, in a fixed order."""
    children = [child for child in part.iterchildren() if isinstance(child.tag, str)]
    if depth > _DEEPEST or not children:
        return tex.letters_tex("".join(part.itertext()))
    made = [_part(child, depth + 1) for child in children]
    base, second, third = [*made, "", "", ""][:3]
    if kind == "mfrac":
        return tex.fraction(base, second, has_bar=not re.match(r"0(?![.\d]*[1-9])", part.get("linethickness", "")))
    if kind == "mroot":
        return tex.root(base, second)
    if kind == "mmultiscripts":
        return tex.scripts(base, second, third)
    if kind in ("munder", "mover"):
        sign = "".join(children[1].itertext()).strip() if len(children) > 1 else ""
        accented = tex.accented(base, sign, is_below=kind == "munder") if sign not in _SUMS else None
        if accented and not _is_operator(children[0]):
            return accented
    is_below = kind in ("msub", "munder", "msubsup", "munderover")
    below = second if is_below else ""
    above = third if kind in ("msubsup", "munderover") else "" if is_below else second
    return tex.scripts(_grouped(base), below, above)


def _grouped(base: str) -> str:
    """A base of several parts in braces, so that a raised sign belongs to all of it."""
    is_one = len(base) <= 1 or re.fullmatch(r"\\[A-Za-z]+(\{[^{}]*\})?|\w+|.*[)\]]", base)
    return base if is_one else f"{{{base}}}"


def _token(part: Any, kind: str) -> str:
    text = "".join(part.itertext()).strip()
    if kind == "mo":
        return f"\\{text}" if text in ("{", "}") else tex.letters_tex(text) if len(text) == 1 else tex.word_tex(text)
    if kind == "mi":
        return tex.word_tex(text)
    if kind in ("mtext", "ms"):
        return f"\\text{{{text}}}" if text else ""
    return tex.letters_tex(text)


def _is_operator(part: Any) -> bool:
    return _name(part) == "mo" and "".join(part.itertext()).strip() in _SUMS


def _is_fence(part: Any, signs: str) -> bool:
    return _name(part) == "mo" and _sign_of(part) in signs and len(_sign_of(part)) == 1


def _sign_of(part: Any) -> str:
    return "".join(part.itertext()).strip()


def _is_hidden(part: Any) -> bool:
    style = part.get("style", "")
    return bool(style and re.search(r"display\s*:\s*none|visibility\s*:\s*hidden", style, re.IGNORECASE))


def _name(part: Any) -> str:
    return str(part.tag).rpartition("}")[2].rpartition(":")[2].casefold()
