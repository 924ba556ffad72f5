"""Formulas of Office (OMML, ISO/IEC 29500-1 §22.1) as a line of text: "(a + b)/(2)", "x^2", "√(y)"."""

from typing import Any

_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
FORMULA = f"{_M}oMath"
_DEEPEST = 30
_HAT = "\u0302"


def formula_text(element: Any, depth: int = 0) -> str:
    """Text of a formula. Deeper nesting than thirty is told without its structure."""
    if depth > _DEEPEST:
        return "".join(text.text or "" for text in element.iter(f"{_M}t"))
    return "".join(_part(child, depth + 1) for child in element.iterchildren(f"{_M}*"))


def _part(part: Any, depth: int) -> str:
    def inner(name: str) -> str:
        found = part.find(_M + name)
        return "" if found is None else formula_text(found, depth)

    def mark(name: str, usual: str) -> str:
        found = part.find(f"{_M}{part.tag[len(_M) :]}Pr/{_M}{name}")
        return usual if found is None else found.get(f"{_M}val", "")

    kind = part.tag[len(_M) :]
    if kind == "r":
        return "".join(text.text or "" for text in part.iterchildren(f"{_M}t"))
    if kind == "f":
        return f"{_grouped(inner('num'))}/{_grouped(inner('den'))}"
    if kind in ("sSup", "sSub", "sSubSup", "sPre"):
        raised = f"^{_grouped(inner('sup'))}" if part.find(f"{_M}sup") is not None else ""
        lowered = f"_{_grouped(inner('sub'))}" if part.find(f"{_M}sub") is not None else ""
        base = inner("e")
        return f"{lowered}{raised}{base}" if kind == "sPre" else f"{base}{lowered}{raised}"
    if kind == "rad":
        degree = inner("deg")
        return f"{'root' + _grouped(degree) + ' of ' if degree else '√'}({inner('e')})"
    if kind == "nary":
        limits = "".join(
            f"{sign}{_grouped(limit)}" for sign, limit in (("_", inner("sub")), ("^", inner("sup"))) if limit
        )
        return f"{mark('chr', '∫')}{limits} {inner('e')}"
    if kind == "d":
        between = f" {mark('sepChr', '|')} ".join(formula_text(e, depth) for e in part.iterchildren(f"{_M}e"))
        return f"{mark('begChr', '(')}{between}{mark('endChr', ')')}"
    if kind == "m":
        rows = (
            "; ".join([", ".join(formula_text(e, depth) for e in row.iterchildren(f"{_M}e"))])
            for row in part.iterchildren(f"{_M}mr")
        )
        return f"[{'; '.join(rows)}]"
    if kind == "func":
        return f"{inner('fName')} {inner('e')}"
    if kind in ("limLow", "limUpp"):
        return f"{inner('e')}{'_' if kind == 'limLow' else '^'}{_grouped(inner('lim'))}"
    if kind in ("acc", "groupChr", "bar"):
        return f"{inner('e')}{mark('chr', _HAT) if kind == 'acc' else ''}"
    if kind == "eqArr":
        return "\n".join(formula_text(e, depth) for e in part.iterchildren(f"{_M}e"))
    return "" if kind.endswith("Pr") else formula_text(part, depth)


def _grouped(text: str) -> str:
    return text if len(text) <= 1 or text.isalnum() else f"({text})"
