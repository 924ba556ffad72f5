"""Topics of a course with what one knows so far: a bar for the estimate, and a range for how sure it is."""

from collections.abc import Sequence
from datetime import timedelta
from html import escape

import streamlit as st

from services.i18n import formats, gettext, ngettext
from services.identity.students import Student
from services.safety.text import literal, one_line
from services.study.mastery import TopicMastery
from ui import session
from ui.chat.composer import send_message
from ui.chat.guided_study import start_guided_study
from ui.study.make_dialog import DIALOG
from ui.study.make_sources import Wish
from ui.study.open_dialog import open_dialog

SHOWN, MORE = 6, "study-topics-shown"
KEPT = "study-topics"
MADE_ANEW_AFTER = timedelta(minutes=1)
LONGEST_TOPIC = 80
UNSURE = 0.35
"""Width of a range from which on the estimate is still open."""


def known_topics(student: Student, course_key: str) -> list[TopicMastery]:
    """Estimates of a course's topics, or of those of all courses; made anew after a minute, or after practice."""
    services = session.services()
    now, kept = services.clock(), st.session_state.get(KEPT)
    if kept is not None and kept[0] == course_key and timedelta() <= now - kept[1] < MADE_ANEW_AFTER:
        return list(kept[2])
    study, keys = services.study, [course_key]
    if not course_key:
        keys = sorted({*study.quizzes.course_keys(student), *study.cards.course_keys(student)})
    topics = study.mastery.topics_of_courses(student, keys)
    st.session_state[KEPT] = (course_key, now, topics)
    return topics


def draw_topics(student: Student, topics: Sequence[TopicMastery]) -> None:
    """Draw the topics, those first that need practice most."""
    ordered = sorted(topics, key=lambda topic: (topic.share is None, topic.share or 0.0))
    shown = int(st.session_state.get(MORE, SHOWN))
    for number, topic in enumerate(ordered[:shown]):
        with st.container(horizontal=True, vertical_alignment="center", key=f"study-topic-{number}"):
            st.html(_bar(topic))
            st.button(
                gettext("Practise"),
                type="tertiary",
                key=f"topic-practise-{number}",
                help=gettext("Practise “{topic}”", topic=literal(one_line(topic.topic, LONGEST_TOPIC))),
                on_click=open_dialog,
                args=(DIALOG, Wish(course_key=topic.course_key, topic=topic.topic)),
            )
            if st.button(
                gettext("Guide me"),
                type="tertiary",
                key=f"topic-guide-{number}",
                help=gettext("Study “{topic}” step by step", topic=literal(one_line(topic.topic, LONGEST_TOPIC))),
            ):
                start_guided_study(student, topic.topic, send_message)
    if len(ordered) > shown:
        st.button(gettext("Show more topics"), icon=":material/expand_more:", key="topics-more", on_click=_show_more)


def _show_more() -> None:
    st.session_state[MORE] = int(st.session_state.get(MORE, SHOWN)) + 4 * SHOWN


def _bar(topic: TopicMastery) -> str:
    """HTML of one topic. The range is light, the estimate a mark in it; both are told in words."""
    name, words = escape(one_line(topic.topic, LONGEST_TOPIC)), escape(_words(topic))
    if topic.share is None:
        picture = ""
    else:
        low, high, share = (round(100 * part, 1) for part in (topic.low, topic.high, topic.share))
        picture = (
            f'<span class="range" style="inset-inline-start:{low}%;width:{max(high - low, 1):.1f}%"></span>'
            f'<span class="known" style="width:{share}%"></span>'
        )
    return (
        f'<div class="study-topic"><span class="name">{name}</span><span class="words">{words}</span>'
        f'<span class="bar" aria-hidden="true">{picture}</span></div>'
    )


def _words(topic: TopicMastery) -> str:
    if topic.share is None and not topic.cards:
        return gettext("not practised yet")
    if topic.share is None:
        return ngettext("{n} card, not practised yet", "{n} cards, not practised yet", topic.cards)
    values = {
        "share": formats.percent(topic.share),
        "low": formats.number(round(100 * topic.low)),
        "high": formats.percent(topic.high),
    }
    if topic.high - topic.low >= UNSURE:
        return gettext("maybe {share}, still unsure ({low}–{high})", **values)
    return gettext("about {share} ({low}–{high})", **values)
