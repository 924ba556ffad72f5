"""Names of LTI claims, messages, roles and scopes (1EdTech LTI Core 1.3, Deep Linking 2.0, Names and Roles 2.0)."""

_LTI = "https://purl.imsglobal.org/spec/lti/claim"
_DEEP_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim"

MESSAGE_TYPE = f"{_LTI}/message_type"
VERSION = f"{_LTI}/version"
DEPLOYMENT_ID = f"{_LTI}/deployment_id"
TARGET_LINK_URI = f"{_LTI}/target_link_uri"
RESOURCE_LINK = f"{_LTI}/resource_link"
ROLES = f"{_LTI}/roles"
CONTEXT = f"{_LTI}/context"
NAMES_AND_ROLES = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
DEEP_LINKING_SETTINGS = f"{_DEEP_LINKING}/deep_linking_settings"
DEEP_LINKING_DATA = f"{_DEEP_LINKING}/data"
CONTENT_ITEMS = f"{_DEEP_LINKING}/content_items"

RESOURCE_LINK_REQUEST = "LtiResourceLinkRequest"
DEEP_LINKING_REQUEST = "LtiDeepLinkingRequest"
DEEP_LINKING_RESPONSE = "LtiDeepLinkingResponse"
LTI_VERSION = "1.3.0"

ROSTER_SCOPE = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
ROSTER_MEDIA_TYPE = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"

_MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership"


def teaches(roles: object) -> bool:
    """Whether roles of a launch or of a roster say that somebody teaches this course (LTI Core 1.3, appendix A.2).

    Roles in the institution or the system never count, nor do teaching assistants: their sub-role of Instructor.
    """
    named = [role for role in roles if isinstance(role, str)] if isinstance(roles, list) else []
    return any(_is_instructor(role) for role in named)


def _is_instructor(role: str) -> bool:
    if role in ("Instructor", f"{_MEMBERSHIP}#Instructor"):
        return True
    begin = f"{_MEMBERSHIP}/Instructor#"
    return role.startswith(begin) and "TeachingAssistant" not in role
