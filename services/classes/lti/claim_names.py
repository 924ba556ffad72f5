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
