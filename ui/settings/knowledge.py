"""Settings: what Homeroom knows about the student, in plain words and numbers."""

from collections.abc import Iterator, Mapping, Sequence

import streamlit as st

from services.discovery.profile import Profiles
from services.i18n import formats, gettext
from services.identity.students import Student
from services.privacy.known import Known, known
from services.safety.escape import code_span
from services.safety.text import literal
from ui import problems, session
from ui.dates import in_words
from ui.insights.words import context

MOST_SUBJECTS = 3
MOST_SCOPES = 12


def draw(student: Student) -> None:
    # Looked up only while it is open: a page that is only passed through counts nothing.
    section = st.expander(
        gettext("What Homeroom knows about me"), icon=":material/visibility:", key="knows", on_change="rerun"
    )
    if not section.open:
        return
    with section, problems.calmly():
        st.markdown("\n\n".join([_who(student), *_connections(student), *_subjects(student)]))
        found = known(session.services().store, student.id)
        st.markdown("\n".join(_line(item) for item in found if item.number))
        none_yet = _titles(item for item in found if not item.number)
        st.caption(gettext("There is nothing yet of these: {titles}.", titles=none_yet))


def _who(student: Student) -> str:
    who = ", ".join(filter(None, (literal(student.name), literal(student.email))))
    return gettext("**You** are {who}, and your time zone is {zone}.", who=who, zone=student.timezone)


def _connections(student: Student) -> Iterator[str]:
    services = session.services()
    for id, connection in services.connections.all(student.id).items():
        offered = services.integrations[id]
        reads, writes = (
            ", ".join(map(gettext, offered.reads)) or gettext("nothing"),
            ", ".join(map(gettext, offered.writes)),
        )
        since = gettext(
            "**{service}** is connected as {account} since {since}.",
            service=gettext(offered.label),
            account=literal(connection.account),
            since=in_words(connection.connected_at, student),
        )
        may = (
            gettext("Homeroom may read {reads}, and change {writes} after your yes.", reads=reads, writes=writes)
            if writes
            else gettext("Homeroom may read {reads}.", reads=reads)
        )
        yield " ".join(filter(None, (since, may, _scopes(connection.scopes, offered.permissions))))


def _scopes(granted: Sequence[str], permissions: Mapping[str, str]) -> str:
    told = dict.fromkeys(gettext(permissions[scope]) if scope in permissions else _unknown(scope) for scope in granted)
    if len(told) > MOST_SCOPES:
        return gettext("It was granted {n} permissions, which the archive lists one by one.", n=len(granted))
    return gettext("You allowed it there to: {permissions}.", permissions="; ".join(told)) if told else ""


def _unknown(scope: str) -> str:
    """Its own name, without the address in front of it that some services have."""
    name = scope.rstrip("/").rpartition("/")[2] if scope.startswith("https://") else scope
    return code_span(name)


def _subjects(student: Student) -> Iterator[str]:
    shares = Profiles(session.services().store).of(student.id)
    most = sorted(shares, key=lambda name: -shares[name])[:MOST_SUBJECTS]
    if most:
        told = ", ".join(f"{context(name).lower()} ({formats.percent(shares[name])})" for name in most)
        yield gettext("**Most of your questions** needed {told}.", told=told)


def _line(item: Known) -> str:
    kept = item.kept
    return f"- **{gettext(kept.title)}** · {formats.number(item.number)}  \n  {gettext(kept.holds)} *{gettext(kept.lasts)}*"


def _titles(kinds: Iterator[Known] | Sequence[Known]) -> str:
    return ", ".join(gettext(item.kept.title).lower() for item in kinds)
