"""Number formats of Office: values as they are shown, "2027-01-15", "85%" (ISO/IEC 29500-1 §18.8.30, §18.8.31)."""

import re
from datetime import UTC, datetime, timedelta

_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.|\*.')
_LAST_DAY = 2_958_465


def format_kind(code: str) -> str:
    """Kind of a format: "d" for days, "t" for times, "dt" for both, "%2" for percents, "" for numbers."""
    code = _QUOTED.sub("", code.partition(";")[0]).casefold()
    if "%" in code:
        return f"%{len(code.partition('.')[2].partition('%')[0])}"
    has_day, has_time = bool(re.search("[yd]", code)), bool(re.search("[hs]", code))
    has_day |= bool("m" in code and not has_time)
    return (
        f"{'d' if has_day else ''}{'t' if has_time else ''}"
        if not re.search(r"general|[#0?]{2}|e[+-]", code) or has_day
        else ""
    )


def shown_value(value: str, kind: str, *, is_1904: bool = False) -> str:
    """A value as its format shows it. is_1904: whether days are counted from 1904, as old Macs did."""
    try:
        number = float(value)
    except ValueError:
        return value
    if kind.startswith("%"):
        return f"{number * 100:.{min(int(kind[1:] or 0), 6)}f}%"
    if kind and 0 <= number <= _LAST_DAY:
        return _moment(number, kind, is_1904=is_1904)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else f"{number:.12g}"


def _moment(number: float, kind: str, *, is_1904: bool) -> str:
    begin = datetime(1904, 1, 1, tzinfo=UTC) if is_1904 else datetime(1899, 12, 30, tzinfo=UTC)
    moment = begin + timedelta(seconds=round(number * 86_400))
    if kind == "t" and number < 1:
        return f"{moment:%H:%M}" if moment.second == 0 else f"{moment:%H:%M:%S}"
    is_day = kind == "d" or (kind == "dt" and number == int(number))
    return f"{moment:%Y-%m-%d}" if is_day else f"{moment:%Y-%m-%d %H:%M}"
