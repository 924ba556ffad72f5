"""`Flavour`: what Canvas and Moodle do differently as LTI platforms, and where each answers."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from sandbox.campus import Campus

_TWINS = {"localhost": "127.0.0.1", "127.0.0.1": "localhost"}


@dataclass(frozen=True, kw_only=True)
class Flavour:
    """One product. schools: its sites by their names in addresses. shared: the name of the host that all of them share
    for signing people in ("" where each site does so itself). storage_target: the frame that keeps values for tools.
    """

    name: str
    product: str
    schools: tuple[str, ...]
    authorization: str
    token: str
    keys: str
    configuration: str
    registrations: str
    shared: str = ""
    storage_target: str = ""

    def issuer(self, campus: Campus, school: str) -> str:
        """Hosted Canvas has one issuer for all schools; every Moodle has its own."""
        return f"{lms_base(campus)}/{self.name}" + ("" if self.shared else f"/{school}")

    def site(self, campus: Campus, school: str) -> str:
        """Where people of a school open it."""
        return f"{lms_base(campus)}/{self.name}/{school}"

    def endpoint(self, campus: Campus, school: str, path: str) -> str:
        """The address of one of the endpoints for tools."""
        return f"{self.site(campus, self.shared or school)}{path}"


CANVAS = Flavour(
    name="canvas",
    product="Canvas",
    schools=("halvorsen", "westbrook"),
    authorization="/api/lti/authorize_redirect",
    token="/login/oauth2/token",
    keys="/api/lti/security/jwks",
    configuration="/api/lti/security/openid-configuration",
    registrations="/api/lti/registrations",
    shared="sso",
    storage_target="post_message_forwarding",
)
MOODLE = Flavour(
    name="moodle",
    product="Moodle",
    schools=("lindgren",),
    authorization="/mod/lti/auth.php",
    token="/mod/lti/token.php",
    keys="/mod/lti/certs.php",
    configuration="/mod/lti/openid-configuration.php",
    registrations="/mod/lti/openid-registration.php",
)
FLAVOURS = {flavour.name: flavour for flavour in (CANVAS, MOODLE)}


def lms_base(campus: Campus) -> str:
    """Where both platforms stand: on a machine of one's own under its other name, which a browser takes for another
    site, as a school's is.
    """
    parts = urlsplit(campus.origin)
    other = _TWINS.get(parts.hostname or "")
    netloc = parts.netloc.replace(parts.hostname or "", other) if other else parts.netloc
    return f"{parts.scheme}://{netloc}{parts.path}/lti"
