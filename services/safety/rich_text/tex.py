"""TeX of formulas: names of letters, operators, functions and accents, and how pieces are joined."""

import re
import unicodedata
from collections.abc import Iterable

_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ζ": "zeta", "η": "eta", "θ": "theta", "ι": "iota",
    "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau",
    "υ": "upsilon", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda",
    "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
    "ϵ": "epsilon", "ε": "varepsilon", "ϕ": "phi", "φ": "varphi", "ϑ": "vartheta", "ϱ": "varrho", "ς": "varsigma",
    "ϖ": "varpi", "µ": "mu",
}  # fmt: skip
_OPERATORS = {
    "×": "times", "·": "cdot", "⋅": "cdot", "÷": "div", "±": "pm", "∓": "mp", "≤": "leq", "≥": "geq", "≠": "neq",
    "≈": "approx", "≡": "equiv", "∼": "sim", "≃": "simeq", "≅": "cong", "∝": "propto", "≪": "ll", "≫": "gg",
    "→": "to", "←": "leftarrow", "↔": "leftrightarrow", "⇒": "Rightarrow", "⇐": "Leftarrow", "⇔": "Leftrightarrow",
    "↦": "mapsto", "⟶": "longrightarrow", "⇌": "rightleftharpoons", "∞": "infty", "∂": "partial", "∇": "nabla",
    "∑": "sum", "∏": "prod", "∐": "coprod", "∫": "int", "∬": "iint", "∭": "iiint", "∮": "oint", "⋃": "bigcup",
    "⋂": "bigcap", "⋁": "bigvee", "⋀": "bigwedge", "∈": "in", "∉": "notin", "∋": "ni", "⊂": "subset", "⊆": "subseteq",
    "⊃": "supset", "⊇": "supseteq", "∪": "cup", "∩": "cap", "∅": "emptyset", "∖": "setminus", "∀": "forall",
    "∃": "exists", "¬": "neg", "∧": "wedge", "∨": "vee", "⊕": "oplus", "⊗": "otimes", "⊥": "perp", "∥": "parallel",
    "∠": "angle", "∘": "circ", "∗": "ast", "⋆": "star", "…": "ldots", "⋯": "cdots", "⋮": "vdots", "⋱": "ddots",
    "ℏ": "hbar", "ℓ": "ell", "ℜ": "Re", "ℑ": "Im", "†": "dagger", "‖": "|", "⟨": "langle", "⟩": "rangle",
    "〈": "langle", "〉": "rangle", "⌊": "lfloor", "⌋": "rfloor", "⌈": "lceil", "⌉": "rceil", "⊢": "vdash",
    "⊨": "models", "∴": "therefore", "∵": "because", "√": "surd", "△": "triangle", "□": "square", "ℵ": "aleph",
}  # fmt: skip
_SETS = {"ℝ": "R", "ℕ": "N", "ℤ": "Z", "ℚ": "Q", "ℂ": "C", "ℙ": "P", "ℍ": "H", "𝔼": "E"}
_PLAIN = {"−": "-", "′": "'", "″": "''", "‴": "'''", "∶": ":", "∣": "|", "\u00a0": " ", "#": "\\#", "%": "\\%"}
_UNSEEN = dict.fromkeys((0x2061, 0x2062, 0x2063, 0x2064, 0x200B, 0xFEFF))
_FUNCTIONS = frozenset((
    "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det", "dim", "exp", "gcd", "hom",
    "inf", "ker", "lg", "lim", "liminf", "limsup", "ln", "log", "max", "min", "Pr", "sec", "sin", "sinh", "sup", "tan",
    "tanh",
))  # fmt: skip
_ACCENTS = {
    "\u0302": "hat", "^": "hat", "ˆ": "hat", "\u0303": "tilde", "~": "tilde", "˜": "tilde", "\u0304": "bar", "¯": "bar",
    "\u0305": "overline", "‾": "overline", "_": "overline", "―": "overline", "\u0307": "dot", "˙": "dot", ".": "dot",
    "\u0308": "ddot", "¨": "ddot", "\u20d7": "vec", "→": "vec", "⇀": "vec", "\u20d1": "vec",
    "\u030c": "check", "ˇ": "check", "\u0306": "breve", "˘": "breve", "\u0301": "acute", "´": "acute",
    "\u0300": "grave", "`": "grave", "⏞": "overbrace", "︷": "overbrace", "\u20db": "dddot", "↔": "overleftrightarrow",
    "\u20d6": "overleftarrow", "←": "overleftarrow",
}  # fmt: skip
_UNDER_ACCENTS = {"_": "underline", "\u0332": "underline", "¯": "underline", "⏟": "underbrace", "︸": "underbrace"}
_WIDE = {"hat": "widehat", "tilde": "widetilde", "bar": "overline", "vec": "overrightarrow"}
_DELIMITERS = {"{": "\\{", "}": "\\}", "": ".", "‖": "\\|", "⌊": "\\lfloor", "⌋": "\\rfloor", "⌈": "\\lceil",
               "⌉": "\\rceil", "⟨": "\\langle", "⟩": "\\rangle", "〈": "\\langle", "〉": "\\rangle"}  # fmt: skip
_TALL = re.compile(r"\\(?:frac|sum|prod|int|begin|binom|sqrt|atop)|\^\{[^{}]*\\frac")
_NAME_AT_END = re.compile(r"\\[A-Za-z]+$")


def letters_tex(text: str) -> str:
    """Letters and signs of a formula as TeX: "α≤β" as "\\alpha \\leq \\beta"."""
    return joined(_sign(sign) for sign in _told_plainly(text))


def word_tex(text: str) -> str:
    """A name in a formula: a function's, as "\\sin", a letter's, or upright words."""
    words = _told_plainly(text).strip()
    if words in _FUNCTIONS:
        return f"\\{words}"
    return f"\\text{{{words}}}" if len(words) > 1 and words.isalpha() and words.isascii() else letters_tex(words)


def _told_plainly(text: str) -> str:
    """Without signs that nobody sees, and with bold and slanted letters of mathematics as letters."""
    text = text.translate(_UNSEEN)
    return "".join(
        unicodedata.normalize("NFKC", sign) if "\U0001d400" <= sign <= "\U0001d7ff" else sign for sign in text
    )


def _sign(sign: str) -> str:
    name = _GREEK.get(sign) or _OPERATORS.get(sign)
    if name:
        return f"\\{name}"
    return f"\\mathbb{{{_SETS[sign]}}}" if sign in _SETS else _PLAIN.get(sign, sign)


def joined(pieces: Iterable[str]) -> str:
    """Pieces in a row, with a space where a name would else run into a letter."""
    found: list[str] = []
    for piece in pieces:
        last = found[-1] if found else ""
        runs_in = piece[:1].isalnum() and _NAME_AT_END.search(last)
        begins_name = piece.startswith("\\") and piece[1:2].isalpha() and last[-1:].isalnum()
        if last and (runs_in or begins_name):
            found.append(" ")
        if piece:
            found.append(piece)
    return "".join(found)


def fraction(top: str, bottom: str, *, has_bar: bool = True) -> str:
    return f"\\frac{{{top}}}{{{bottom}}}" if has_bar else f"{{{top} \\atop {bottom}}}"


def root(inner: str, degree: str = "") -> str:
    return f"\\sqrt[{degree}]{{{inner}}}" if degree else f"\\sqrt{{{inner}}}"


def scripts(base: str, below: str = "", above: str = "") -> str:
    """A base with what is lowered and raised beside it, or stands below and above it."""
    return f"{base}{f'_{{{below}}}' if below else ''}{f'^{{{above}}}' if above else ''}"


def accented(inner: str, sign: str, *, is_below: bool = False) -> str | None:
    """A letter with an accent, bar or brace over or under it; None for a sign that is none."""
    name = (_UNDER_ACCENTS if is_below else _ACCENTS).get(sign.strip())
    if name is None:
        return None
    is_wide = len(inner) > 1 and not _NAME_AT_END.fullmatch(inner)
    return f"\\{_WIDE.get(name, name) if is_wide else name}{{{inner}}}"


def enclosed(inner: str, opening: str, closing: str) -> str:
    """Brackets around a piece, which grow with it where it is tall; a binomial where it is one over another."""
    atop = re.fullmatch(r"\{((?:[^{}]|\{[^{}]*\})*) \\atop ((?:[^{}]|\{[^{}]*\})*)\}", inner.strip())
    if atop and (opening, closing) == ("(", ")"):
        return f"\\binom{{{atop[1]}}}{{{atop[2]}}}"
    left, right = _DELIMITERS.get(opening, opening), _DELIMITERS.get(closing, closing)
    if "." not in (left, right) and not _TALL.search(inner):
        return joined((left, inner, right))
    return joined((f"\\left{left}", " " if left[-1].isalpha() else "", inner, f"\\right{right}"))


def rows_tex(rows: Iterable[Iterable[str]], kind: str = "matrix") -> str:
    """A matrix, or equations one below the other."""
    inner = " \\\\ ".join(" & ".join(row) for row in rows)
    return f"\\begin{{{kind}}} {inner} \\end{{{kind}}}"


def inline(tex: str) -> str:
    """A formula within text: "$x^{2}$"; "" for an empty one."""
    words = " ".join(tex.replace("$", "\\$").split())
    return f"${words}$" if words else ""
