"""`LtiTool`: the parts of LTI 1.3, as the container holds them."""

from dataclasses import dataclass

from services.classes.lti.accounts import LtiAccounts
from services.classes.lti.course_bindings import CourseBindings
from services.classes.lti.course_rosters import CourseRosters
from services.classes.lti.deep_links import DeepLinking
from services.classes.lti.launch_completion import LaunchCompletion
from services.classes.lti.launch_validation import LaunchValidation
from services.classes.lti.login_initiation import LoginInitiation
from services.classes.lti.operator_actions import LtiOperator
from services.classes.lti.platforms import LtiPlatforms
from services.classes.lti.registration.dynamic_registration import Registration
from services.classes.lti.registration.invites import Invites
from services.classes.lti.tool_keys import ToolKeys


@dataclass(frozen=True, kw_only=True)
class LtiTool:
    """Parts of a launch in the order in which it meets them, and what goes with them."""

    platforms: LtiPlatforms
    keys: ToolKeys
    logins: LoginInitiation
    launches: LaunchValidation
    completion: LaunchCompletion
    accounts: LtiAccounts
    courses: CourseBindings
    deep_linking: DeepLinking
    rosters: CourseRosters
    invites: Invites
    registration: Registration
    operator: LtiOperator
