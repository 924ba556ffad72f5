"""Search of materials by their words: a field, and the pages that answer it as links that open the reader."""

import streamlit as st

from services.i18n import gettext, ngettext
from services.identity.students import Student
from services.materials.results import SearchResult
from services.safety.text import literal
from ui import session
from ui.materials.material_list import hit_line
from ui.materials.read_ahead import draw_reading

MOST_HITS = 12
WITHIN_S = 4.0
"""Seconds for reading in what is new; the rest goes on behind."""
LONGEST_QUERY = 300
THIS, ALL = "this", "all"


def draw_search(student: Student, course_key: str, *, has_more: bool) -> bool:
    """Draw the field and what it finds; returns whether something is looked for. has_more: there are other courses."""
    with st.container(key="materials-search-row", horizontal=True, vertical_alignment="bottom"):
        query = st.text_input(
            gettext("Search in the materials"),
            placeholder=gettext("A word, a question, or “slide 12 of Tuesday’s lecture”"),
            icon=":material/search:",
            key="materials-search",
        ).strip()[:LONGEST_QUERY]
        scope = THIS
        if has_more:
            names = {THIS: gettext("This course"), ALL: gettext("All courses")}
            scope = st.segmented_control(
                gettext("Where"),
                list(names),
                format_func=names.__getitem__,
                default=THIS,
                key="materials-scope",
                required=True,
                label_visibility="collapsed",
            )
    if not query:
        return False
    with st.spinner(gettext("Searching …")):
        found = session.services().materials.search(
            student,
            query,
            course_keys=[course_key] if scope == THIS else None,
            limit=MOST_HITS,
            within_s=WITHIN_S,
        )
    _draw_hits(found)
    if found.unread:
        # What a search begins is read behind it; then it searches all of it.
        draw_reading(student, course_key)
    return True


def _draw_hits(found: SearchResult) -> None:
    for note in found.notes:
        st.caption(literal(note))
    if not found.hits:
        st.info(gettext("Nothing was found. Try other words, or fewer."), icon=":material/search_off:")
        return
    st.caption(ngettext("{n} page answers this best:", "{n} pages answer this best:", len(found.hits)))
    origin = session.services().settings.public_url
    with st.container(key="materials-hits"):
        st.markdown("\n".join(hit_line(hit, origin) for hit in found.hits))
