"""Figures of a class: what its members ask, in groups of five or more; the same for members and instructors."""

from collections.abc import Mapping
from datetime import timedelta

import streamlit as st

from services.classes.figures.class_figures import FigureReport
from services.classes.figures.figure_week import HOURS, PARTS, FigureWeek, PartOfDay
from services.classes.figures.week_figures import WeekFigures
from services.classes.school_class import SchoolClass
from services.i18n import formats, gettext, gettext_noop
from services.identity.students import Student
from services.safety.text import literal
from ui import session
from ui.charts import bars, draw_chart_tabs
from ui.insights.insight_labels import context_label, money_label, short_day_label
from ui.local_time import local_day
from ui.privacy_notice import is_model_simulated
from ui.tool_names import title_by_name
from ui.toolbox.usage_table import FAILURE_LABELS

PART_LABELS = {
    PartOfDay.NIGHT: gettext_noop("Night"),
    PartOfDay.MORNING: gettext_noop("Morning"),
    PartOfDay.AFTERNOON: gettext_noop("Afternoon"),
    PartOfDay.EVENING: gettext_noop("Evening"),
}
MICRO = 1_000_000
LABEL_PX = 210
METHOD = gettext_noop("""
- Only what is asked of an **assistant of this class** counts. A chat with another assistant is in no figure.
- Nobody's words are read or kept for this, and no figure is about one person. What **fewer than five** students did is
  left out, of each figure by itself.
- Numbers of students are rounded to fives with a little chance in them, so "about 10" may be 8 or 13. Questions and
  costs are rounded so far that no single student shows.
- A week's figures are made **once**, when it is over, from those who are in the class then. They never change: whoever
  joins, asks or leaves later, nobody can tell from them.
- Until then each student's own numbers are theirs: they are in the export under Settings, and go with their account.
  Whoever leaves the class is in none of that week's figures.
- What instructors ask is not counted. Students and instructors read this same page. Figures are kept for 400 days.
""")
NEVER = gettext_noop("Never told: who asked, what somebody wrote, and what was answered.")


def draw_figures(student: Student, school_class: SchoolClass) -> None:
    """Draw the figures of one week, chosen among those that are there."""
    report = session.services().classroom.figures.report(student, school_class.id)
    st.caption(gettext("What this class asks its assistants, in groups of five or more. Students see this same page."))
    if report.is_frozen:
        words = gettext(
            "There are no figures until a teacher of the course has opened Homeroom: the course lists nobody as its "
            "teacher who teaches this class."
        )
        st.warning(words, icon=":material/lock:")
    elif report.weeks:
        week = _draw_week_choice(report)
        _draw_summary(week)
        _draw_when(week)
        _draw_topics(week)
        _draw_pages(week)
        _draw_failures(week)
    else:
        _draw_nothing(student, report)
    with st.expander(gettext("How this is counted"), icon=":material/info:", key="figures-method"):
        st.markdown(gettext(METHOD))
        st.caption(gettext(NEVER))


def _draw_nothing(student: Student, report: FigureReport) -> None:
    with st.container(border=True, key="figures-empty", gap="small"):
        st.markdown(gettext("**Nothing yet**"))
        st.write(
            gettext(
                "Figures come when five students have asked an assistant of this class in the same week. The next ones "
                "can be here on {day}.",
                day=local_day(report.open_week.closes_at, student),
            )
        )


def _draw_week_choice(report: FigureReport) -> WeekFigures:
    if len(report.weeks) == 1:
        st.markdown(f"**{_week_label(report.weeks[0].week)}**")
        return report.weeks[0]
    chosen = st.selectbox(
        gettext("Week"),
        range(len(report.weeks)),
        format_func=lambda index: _week_label(report.weeks[index].week),
        key="figures-week",
    )
    return report.weeks[chosen or 0]


def _draw_summary(week: WeekFigures) -> None:
    with st.container(horizontal=True, key="figures-summary"):
        st.metric(gettext("Students"), _about(week.students), border=True)
        st.metric(gettext("Questions"), _about(week.questions) if week.questions else gettext("Not told"), border=True)
        cost = money_label(week.micros / MICRO) if week.micros else gettext("Not told")
        st.metric(gettext("Cost"), cost, border=True)
    if not week.questions or not week.micros:
        st.caption(gettext("Not told: too few students asked, or one of them asked more than all others together."))
    elif is_model_simulated():
        st.caption(gettext("In the demo nothing is paid."))


def _draw_when(week: WeekFigures) -> None:
    st.markdown(gettext("## When"))
    days = {_weekday(week.week, day): students for day, students in sorted(week.days.items())}
    parts = {_part_label(part): week.parts[part] for part in PARTS if part in week.parts}
    charts = {gettext("By day"): days, gettext("By part of the day"): parts}
    _draw_groups("figures-when", charts, gettext("When"), gettext("Bars for when students asked."))


def _draw_topics(week: WeekFigures) -> None:
    st.markdown(gettext("## What the questions were about"))
    topics = {context_label(name): students for name, students in week.topics.items()}
    charts = {gettext("Topics"): topics}
    _draw_groups("figures-topics", charts, gettext("About"), gettext("Bars for what questions were about."))


def _draw_pages(week: WeekFigures) -> None:
    st.markdown(gettext("## Pages of the materials"))
    materials = {page.title: page.students for page in week.pages if not page.page}
    pages = {
        gettext("{title}, page {page}", title=page.title, page=page.page): page.students
        for page in week.pages
        if page.page
    }
    charts = {gettext("Materials"): materials, gettext("Pages"): pages}
    _draw_groups("figures-pages", charts, gettext("Material"), gettext("Bars for the pages that answers came from."))


def _draw_failures(week: WeekFigures) -> None:
    st.markdown(gettext("## What did not work"))
    failures = {f"{title_by_name(line.tool)}: {_kind_label(line.kind)}": line.students for line in week.failures}
    charts = {gettext("Students"): failures}
    _draw_groups("figures-failures", charts, gettext("Tool"), gettext("Bars for how many met a tool that failed."))


def _draw_groups(key: str, charts: Mapping[str, Mapping[str, int]], named: str, description: str) -> None:
    """Draw charts of groups, and all of them as a table; one sentence where there is no group of five."""
    shown = {label: groups for label, groups in charts.items() if groups}
    if not shown:
        st.caption(gettext("Nothing that five students or more have in common."))
        return
    table = [
        {named: literal(name), gettext("Students"): _about(number)}
        for groups in shown.values()
        for name, number in groups.items()
    ]
    drawn = {
        label: bars(list(groups.items()), gettext("Students"), label_px=LABEL_PX) for label, groups in shown.items()
    }
    draw_chart_tabs(key, drawn, table, alt=description)


def _week_label(week: FigureWeek) -> str:
    first, last = short_day_label(week.monday), short_day_label(week.sunday)
    return gettext("{first} to {last}", first=first, last=last)


def _weekday(week: FigureWeek, day: int) -> str:
    return formats.weekday(week.monday + timedelta(days=day))


def _part_label(part: PartOfDay) -> str:
    begins = PARTS.index(part) * HOURS
    hours = gettext("{begin} to {end}", begin=begins, end=begins + HOURS)
    return f"{gettext(PART_LABELS[part])}, {hours}"


def _kind_label(kind: str) -> str:
    return gettext(FAILURE_LABELS[kind]) if kind in FAILURE_LABELS else kind


def _about(number: int) -> str:
    return gettext("about {n}", n=formats.number(number))
