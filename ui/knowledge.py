"""Settings: what Homeroom knows about the student, in plain words and numbers."""

from collections.abc import Iterator, Sequence

import streamlit as st

from services.discovery.profile import Profiles
from services.privacy.known import Known, known
from services.safety.text import literal
from services.students import Student
from ui import problems, session
from ui.dates import in_words
from ui.insights_words import context

MOST_SUBJECTS = 3
MOST_SCOPES = 4


def draw(student: Student) -> None:
    # Looked up only while it is open: a page that is only passed through counts nothing.
    section = st.expander("What Homeroom knows about me", icon=":material/visibility:", key="knows", on_change="rerun")
    if not section.open:
        return
    with section, problems.calmly():
        st.markdown("\n\n".join([_who(student), *_connections(student), *_subjects(student)]))
        found = known(session.services().store, student.id)
        st.markdown("\n".join(_line(one) for one in found if one.number))
        st.caption(f"There is nothing yet of these: {_titles(one for one in found if not one.number)}.")


def _who(student: Student) -> str:
    mail = f", {literal(student.email)}" if student.email else ""
    return f"**You** are {literal(student.name)}{mail}, and your time zone is {student.timezone}."


def _connections(student: Student) -> Iterator[str]:
    services = session.services()
    for id, connection in services.connections.all(student.id).items():
        offered = services.integrations[id]
        changes = f", and change {', '.join(offered.writes)} after your yes" if offered.writes else ""
        since = in_words(connection.connected_at, student)
        yield (
            f"**{offered.label}** is connected as {literal(connection.account)} since {since}. Homeroom may read "
            f"{', '.join(offered.reads) or 'nothing'}{changes}.{_scopes(connection.scopes)}"
        )


def _scopes(granted: Sequence[str]) -> str:
    if len(granted) > MOST_SCOPES:
        return f" It was granted {len(granted)} permissions, which the archive lists one by one."
    return f" It was granted {' '.join(f'`{scope}`' for scope in granted)}." if granted else ""


def _subjects(student: Student) -> Iterator[str]:
    shares = Profiles(session.services().store).of(student.id)
    most = sorted(shares, key=lambda name: -shares[name])[:MOST_SUBJECTS]
    if most:
        told = ", ".join(f"{context(name).lower()} ({shares[name]:.0%})" for name in most)
        yield f"**Most of your questions** needed {told}."


def _line(one: Known) -> str:
    return f"- **{one.kept.title}** · {one.number:,}  \n  {one.kept.holds} *{one.kept.lasts}*"


def _titles(kinds: Iterator[Known] | Sequence[Known]) -> str:
    return ", ".join(one.kept.title.lower() for one in kinds)
