"""Fields that may be empty: a number, a day, a time or a choice that was stored can be taken out of them again.

Streamlit lets nobody empty a field that is drawn with a value: the value springs back. So these are drawn without one,
and what is stored is laid into the session first.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from typing import Any

import streamlit as st


def optional_number(label: str, value: float | None, *, key: str, **options: Any) -> Any:
    """Number field; None when it is empty. options: as those of `st.number_input`."""
    _seed(key, value)
    return st.number_input(label, value=None, key=key, **options)


def optional_date(label: str, value: date | None, *, key: str, **options: Any) -> date | None:
    """Field of one day; None when it is empty. options: as those of `st.date_input`."""
    _seed(key, value)
    return st.date_input(label, value=None, key=key, **options)


def optional_datetime(label: str, value: datetime | None, *, key: str, **options: Any) -> datetime | None:
    """Field of a day with a time; None when it is empty. options: as those of `st.datetime_input`."""
    _seed(key, value)
    return st.datetime_input(label, value=None, key=key, **options)


def optional_time(label: str, value: time | None, *, key: str, **options: Any) -> time | None:
    """Field of a time; None when it is empty. options: as those of `st.time_input`."""
    _seed(key, value)
    return st.time_input(label, value=None, key=key, **options)


def optional_choice(
    label: str, choices: Sequence[Any], value: Any, *, key: str, format_func: Callable[[Any], Any], **options: Any
) -> Any:
    """Choice out of a list; None when there is none. options: as those of `st.selectbox`."""
    _seed(key, value)
    return st.selectbox(label, choices, index=None, key=key, format_func=format_func, **options)


def _seed(key: str, value: object) -> None:
    if value is not None:
        st.session_state.setdefault(key, value)
