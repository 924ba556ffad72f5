"""Heights of characters: the line on which each stands and the size of its font, which no glyph can falsify."""

import ctypes
from typing import Any

_LEAST_RISE, _MOST_RISE = 0.2, 0.9
"""Of the base's size, by which raised signs stand higher."""
_LEAST_SIZE, _MOST_SIZE = 0.48, 0.88
"""Of the base's size, between which raised signs are."""
_RISE_OF_SAME_SIZE = 0.28
"""Of the base's size, from which signs of the same size are raised."""


class Origins:
    """Origins and font sizes of a page's characters."""

    def __init__(self, textpage: Any) -> None:
        from pypdfium2 import raw

        self._raw, self._handle = raw, textpage.raw
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._places = ctypes.byref(self._x), ctypes.byref(self._y)
        self._origin_of, self._matrix = raw.FPDFText_GetCharOrigin, raw.FS_MATRIX()
        self._matrix_pointer = ctypes.byref(self._matrix)
        self._edges = [ctypes.c_double() for _ in range(4)]

    def size(self, at: int) -> float:
        """Font size of a character in points, as it is drawn."""
        size = float(self._raw.FPDFText_GetFontSize(self._handle, at))
        if not self._raw.FPDFText_GetMatrix(self._handle, at, self._matrix_pointer):
            return size
        return size * float((self._matrix.c**2 + self._matrix.d**2) ** 0.5)

    def is_turned(self, at: int) -> bool:
        """Whether a character does not stand upright on the page as the file has it."""
        has_matrix = self._raw.FPDFText_GetMatrix(self._handle, at, self._matrix_pointer)
        return bool(has_matrix) and (self._matrix.d <= 0 or abs(self._matrix.c) > 0.5 * self._matrix.d)

    def tight(self, at: int) -> tuple[float, float, float, float] | None:
        """Left, bottom, right and top of a glyph's own shape."""
        if not self._raw.FPDFText_GetCharBox(self._handle, at, *map(ctypes.byref, self._edges)):
            return None
        left, right, bottom, top = (edge.value for edge in self._edges)
        return left, bottom, right, top

    def raised(self, first: int, length: int) -> list[bool]:
        """Of each character of a word, whether it stands higher than the first one, and is no larger."""
        base = self._origin(first)
        places = [self._origin(at) for at in range(first + 1, first + length)]
        if base is None or all(place is None or place[1] == base[1] for place in places):
            return [False] * length
        size = self.size(first)
        up = self._matrix.c, self._matrix.d
        scale = (up[0] ** 2 + up[1] ** 2) ** 0.5
        if size <= 0 or scale <= 0:
            return [False] * length
        found = [False]
        for at, place in enumerate(places, first + 1):
            rise = 0.0 if place is None else ((place[0] - base[0]) * up[0] + (place[1] - base[1]) * up[1]) / scale
            found.append(_LEAST_RISE * size <= rise <= _MOST_RISE * size and self._is_small(at, rise / size, size))
        return found

    def _is_small(self, at: int, rise: float, base: float) -> bool:
        share = self.size(at) / base
        return _LEAST_SIZE <= share <= _MOST_SIZE or (_MOST_SIZE < share <= 1.02 and rise >= _RISE_OF_SAME_SIZE)

    def _origin(self, at: int) -> tuple[float, float] | None:
        if not self._origin_of(self._handle, at, *self._places):
            return None
        return self._x.value, self._y.value
