"""Formulas of Word (OMML, ISO/IEC 29500-1 §22.1) as TeX: "\\frac{n}{k}", "\\binom{n}{k}", "\\overline{x}"."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from services.safety.rich_text import tex

_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
FORMULA = f"{_M}oMath"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_DEEPEST = 30
_HAT = "\u0302"
_OFF = ("0", "false", "off")
_ACCEPTED = (f"{_W}ins", f"{_W}moveTo")


def formula_tex(element: Any, depth: int = 0) -> str:
    """TeX of a formula. Deeper nesting than thirty is told without its structure."""
    if depth > _DEEPEST:
        return tex.letters_tex("".join(text.text or "" for text in element.iter(f"{_M}t")))
    return tex.joined(_part(part, depth + 1) for part in _parts(element))


def _parts(element: Any) -> Iterator[Any]:
    """Parts of a formula, with those that a tracked change puts in."""
    for child in element.iterchildren():
        if child.tag in _ACCEPTED:
            yield from child.iterchildren(f"{_M}*")
        elif isinstance(child.tag, str) and child.tag.startswith(_M):
            yield child


def _part(part: Any, depth: int) -> str:
    kind = part.tag[len(_M) :]
    if kind.endswith("Pr"):
        return ""
    build = _BUILDERS.get(kind)
    return build(part, depth) if build else formula_tex(part, depth)


def _inner(part: Any, name: str, depth: int) -> str:
    child = part.find(_M + name)
    return "" if child is None else formula_tex(child, depth)


def _property(part: Any, name: str, usual: str) -> str:
    mark = part.find(f"{_M}{part.tag[len(_M) :]}Pr/{_M}{name}")
    return usual if mark is None else str(mark.get(f"{_M}val", ""))


def _run(part: Any, _depth: int) -> str:
    if part.find(f"{_W}rPr/{_W}vanish") is not None:
        return ""
    text = "".join(text.text or "" for text in part.iterchildren(f"{_M}t"))
    if part.find(f"{_M}rPr/{_M}nor") is not None and text.strip() and not text.strip().isdecimal():
        return f"\\text{{{text}}}"
    return tex.letters_tex(text)


def _fraction(part: Any, depth: int) -> str:
    top, bottom, kind = _inner(part, "num", depth), _inner(part, "den", depth), _property(part, "type", "bar")
    if kind in ("lin", "skw"):
        return f"{top}/{bottom}"
    return tex.fraction(top, bottom, has_bar=kind != "noBar")


def _scripts(part: Any, depth: int) -> str:
    base = _inner(part, "e", depth)
    below, above = _inner(part, "sub", depth), _inner(part, "sup", depth)
    if part.tag == f"{_M}sPre":
        return tex.joined((tex.scripts("{}", below, above), base))
    return tex.scripts(_grouped(base), below, above)


def _grouped(base: str) -> str:
    """A base of several parts in braces, so that a raised sign belongs to all of it."""
    is_simple = len(base) <= 1 or base.isalnum() or (base.startswith("\\") and base[1:].isalpha()) or base[-1] in ")]}"
    return base if is_simple else f"{{{base}}}"


def _root(part: Any, depth: int) -> str:
    return tex.root(_inner(part, "e", depth), _inner(part, "deg", depth))


def _sum(part: Any, depth: int) -> str:
    sign = tex.letters_tex(_property(part, "chr", "∫"))
    limits = tex.scripts(sign, _inner(part, "sub", depth), _inner(part, "sup", depth))
    return tex.joined((limits, " ", _inner(part, "e", depth)))


def _brackets(part: Any, depth: int) -> str:
    between = f" {_property(part, 'sepChr', '|')} ".join(formula_tex(e, depth) for e in part.iterchildren(f"{_M}e"))
    return tex.enclosed(between, _property(part, "begChr", "("), _property(part, "endChr", ")"))


def _matrix(part: Any, depth: int) -> str:
    rows = part.iterchildren(f"{_M}mr")
    return tex.rows_tex([formula_tex(e, depth) for e in row.iterchildren(f"{_M}e")] for row in rows)


def _equations(part: Any, depth: int) -> str:
    return tex.rows_tex(([formula_tex(e, depth)] for e in part.iterchildren(f"{_M}e")), "aligned")


def _function(part: Any, depth: int) -> str:
    name = _inner(part, "fName", depth)
    plain = name.strip()
    return tex.joined((tex.word_tex(plain) if plain.isalpha() else name, " ", _inner(part, "e", depth)))


def _limit(part: Any, depth: int) -> str:
    base, limit = _inner(part, "e", depth).strip(), _inner(part, "lim", depth)
    base = tex.word_tex(base) if base.isalpha() and len(base) > 1 else base
    return tex.scripts(base, *((limit, "") if part.tag == f"{_M}limLow" else ("", limit)))


def _accent(part: Any, depth: int) -> str:
    inner, sign = _inner(part, "e", depth), _property(part, "chr", _HAT) or _HAT
    return tex.accented(inner, sign) or tex.joined((inner, sign))


def _bar(part: Any, depth: int) -> str:
    name = "overline" if _property(part, "pos", "bot") == "top" else "underline"
    return f"\\{name}{{{_inner(part, 'e', depth)}}}"


def _grouping(part: Any, depth: int) -> str:
    inner, sign = _inner(part, "e", depth), _property(part, "chr", "⏟")
    return tex.accented(inner, sign, is_below=_property(part, "pos", "bot") != "top") or inner


def _box(part: Any, depth: int) -> str:
    return f"\\boxed{{{_inner(part, 'e', depth)}}}"


def _phantom(part: Any, depth: int) -> str:
    return "" if _property(part, "show", "1") in _OFF else _inner(part, "e", depth)


_BUILDERS: Mapping[str, Callable[[Any, int], str]] = {
    "r": _run,
    "f": _fraction,
    **dict.fromkeys(("sSup", "sSub", "sSubSup", "sPre"), _scripts),
    "rad": _root,
    "nary": _sum,
    "d": _brackets,
    "m": _matrix,
    "eqArr": _equations,
    "func": _function,
    **dict.fromkeys(("limLow", "limUpp"), _limit),
    "acc": _accent,
    "bar": _bar,
    "groupChr": _grouping,
    "borderBox": _box,
    "phant": _phantom,
}
