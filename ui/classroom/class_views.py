"""Views of a class: a view is listed here with the function that draws it, and sections for operators likewise."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from services.classes.school_class import ClassRole, SchoolClass
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from ui.classroom.assistants.assistants_view import draw_assistants
from ui.classroom.budget import draw_budget
from ui.classroom.class_address import (
    ASSISTANTS,
    BUDGET,
    FIGURES,
    MATERIALS,
    PEOPLE,
    SCHOOL_SYSTEM,
    opened_view,
    show_view,
)
from ui.classroom.class_materials import draw_materials
from ui.classroom.deployment import draw_deployment_budget, draw_privacy
from ui.classroom.figures import draw_figures
from ui.classroom.people import draw_people
from ui.classroom.school_system import draw_school_system
from ui.classroom.school_systems import draw_school_systems

CONTROL = "class-view"


@dataclass(frozen=True, kw_only=True)
class ClassView:
    """View of a class. id: in the address. for_members: whether members see it; instructors see each."""

    id: str
    label: str
    draw: Callable[[Student, SchoolClass], None]
    for_members: bool = True


CLASS_VIEWS = (
    ClassView(id=PEOPLE, label=gettext_noop("People"), draw=draw_people),
    ClassView(id=ASSISTANTS, label=gettext_noop("Assistants"), draw=draw_assistants),
    ClassView(id=MATERIALS, label=gettext_noop("Materials"), draw=draw_materials),
    ClassView(id=BUDGET, label=gettext_noop("Budget"), draw=draw_budget, for_members=False),
    ClassView(id=FIGURES, label=gettext_noop("Figures"), draw=draw_figures),
    ClassView(id=SCHOOL_SYSTEM, label=gettext_noop("School system"), draw=draw_school_system, for_members=False),
)
"""In the order: People, Assistants, Materials, Budget, Figures, School system."""

OPERATOR_SECTIONS: tuple[Callable[[Student], None], ...] = (
    draw_school_systems,
    draw_deployment_budget,
    draw_privacy,
)
"""Sections beneath the classes, for the operator: School systems, Deployment budget, Privacy, Demo."""


def draw_open_class(student: Student, school_class: SchoolClass, role: ClassRole) -> None:
    """Draw the choice of the view, and the view."""
    views = [view for view in CLASS_VIEWS if view.for_members or role is ClassRole.INSTRUCTOR]
    is_over = school_class.archived_at is not None
    first = PEOPLE if is_over or role is ClassRole.INSTRUCTOR else ASSISTANTS
    view = next((view for id in (opened_view(), first) for view in views if view.id == id), views[0])
    if len(views) > 1:
        _draw_choice(views, view)
    with st.container(key=f"class-content-{view.id}", gap="medium"):
        view.draw(student, school_class)


def _draw_choice(views: Sequence[ClassView], view: ClassView) -> None:
    labels = {listed.id: listed.label for listed in views}
    widget = f"{CONTROL}-{view.id}"
    st.segmented_control(
        gettext("Show"),
        list(labels),
        format_func=lambda id: gettext(labels[id]),
        default=view.id,
        required=True,
        key=widget,
        on_change=_keep_view,
        args=(widget,),
        label_visibility="collapsed",
        width="stretch",
    )


def _keep_view(widget: str) -> None:
    show_view(st.session_state[widget])
