"""Symbol fonts of Word files: the letters that Symbol, Wingdings and Webdings draw, as Unicode has them."""

import re
from collections.abc import Mapping

UNREAD_SIGN = "[a sign that was not read]"
_SYMBOL_LOW = "!∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
_SYMBOL_HIGH = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\u0000⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
_SYMBOL = {0x20: " ", **dict(enumerate(_SYMBOL_LOW, 0x21)), **dict(enumerate(_SYMBOL_HIGH, 0xA0))}
_WINGDINGS = {
    0x20: " ", 0x22: "✂", 0x28: "☎", 0x2A: "✉", 0x36: "⌛", 0x41: "✌", 0x43: "👍", 0x44: "👎", 0x45: "☜", 0x46: "☞",
    0x47: "☝", 0x48: "☟", 0x4A: "☺", 0x4B: "😐", 0x4C: "☹", 0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□", 0x71: "❑",
    0x72: "❒", 0x73: "⬧", 0x74: "⧫", 0x75: "◆", 0x76: "❖", 0x77: "⬥", 0x78: "⌧", 0x9E: "·", 0x9F: "•", 0xA0: "▪",
    0xA1: "○", 0xA7: "▪", 0xA8: "◻", 0xAB: "★", 0xD8: "➢", 0xDC: "➲", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓",
    0xE3: "↖", 0xE4: "↗", 0xE5: "↙", 0xE6: "↘", 0xE7: "←", 0xE8: "→", 0xE9: "↑", 0xEA: "↓", 0xEF: "⇦", 0xF0: "⇨",
    0xF1: "⇧", 0xF2: "⇩", 0xF3: "⬄", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
    **{0x80 + number: sign for number, sign in enumerate("⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿")},
}  # fmt: skip
_WINGDINGS_2 = {0x20: " ", 0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x97: "●", 0xA3: "□"}
_WEBDINGS = {0x20: " ", 0x61: "✓", 0x63: "□", 0x67: "■", 0x6E: "●", 0x72: "✗"}
_FONTS: Mapping[str, Mapping[int, str]] = {
    "symbol": _SYMBOL,
    "wingdings": _WINGDINGS,
    "wingdings 2": _WINGDINGS_2,
    "wingdings 3": {0x20: " "},
    "webdings": _WEBDINGS,
}
_PRIVATE = re.compile("[\ue000-\uf8ff]")


def symbol(font: str, char: str) -> str:
    """Sign of Word's dialog for symbols. char: its code as four hexadecimal digits."""
    if not re.fullmatch(r"[0-9A-Fa-f]{2,6}", char):
        return UNREAD_SIGN
    code = int(char, 16)
    signs = _FONTS.get(font.strip().casefold())
    if signs is not None:
        sign = signs.get(code & 0xFF if 0xF000 <= code <= 0xF0FF or code < 0x100 else -1, "")
        return sign.strip("\0") or (chr(code) if 0x100 <= code < 0xD800 else UNREAD_SIGN)
    return UNREAD_SIGN if code > 0x10FFFF or 0xD800 <= code <= 0xF8FF or code < 0x20 else chr(code)


def in_font(text: str, font: str) -> str:
    """Text as a symbol font draws it; as it is in any other font."""
    signs = _FONTS.get(font.strip().casefold())
    if signs is None and not _PRIVATE.search(text):
        return text
    return "".join(_drawn(letter, _SYMBOL if signs is None else signs, is_named=signs is not None) for letter in text)


def _drawn(letter: str, signs: Mapping[int, str], *, is_named: bool) -> str:
    code = ord(letter)
    if 0xF020 <= code <= 0xF0FF:
        return signs.get(code & 0xFF, "").strip("\0") or UNREAD_SIGN
    if is_named and 0x20 < code < 0x100:
        return signs.get(code, "").strip("\0") or UNREAD_SIGN
    return UNREAD_SIGN if _PRIVATE.match(letter) else letter
