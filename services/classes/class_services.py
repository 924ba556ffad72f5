"""`ClassServices`: the parts of classes, as the container holds them."""

from dataclasses import dataclass

from services.classes.assistants.class_assistants import ClassAssistants
from services.classes.assistants.unsaved_drafts import UnsavedDrafts
from services.classes.budgets.budget_control import BudgetControl
from services.classes.class_materials import ClassMaterials
from services.classes.classes import Classes
from services.classes.demo_class import DemoClass
from services.classes.figures.class_figures import ClassFigures
from services.classes.figures.figure_counters import FigureCounters
from services.classes.lti.lti_tool import LtiTool
from services.classes.memberships import Memberships
from services.classes.roster import Roster
from services.identity.roles import Roles


@dataclass(frozen=True, kw_only=True)
class ClassServices:
    """Parts of classes; every method of theirs takes the student who asks first, and checks their role."""

    roles: Roles
    classes: Classes
    memberships: Memberships
    roster: Roster
    materials: ClassMaterials
    demo: DemoClass
    assistants: ClassAssistants
    unsaved_drafts: UnsavedDrafts
    budget_control: BudgetControl
    figures: ClassFigures
    figure_counters: FigureCounters
    lti: LtiTool
