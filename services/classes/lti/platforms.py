"""`LtiPlatforms`: repository of the school systems that are registered here."""

import hashlib
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import RLock

from services.classes.lti.platform import (
    LONGEST,
    LtiPlatform,
    is_frame_source,
    merged,
    origin_of,
    platform_document,
    platform_of,
)
from services.classes.lti.refusals import LaunchRefused
from services.errors import BadArguments, DuplicateDocument
from services.i18n import gettext
from services.runtime.clock import Clock, stamp
from services.storage.records import read_all
from services.storage.store import Store

COLLECTION = "lti_platforms"
log = logging.getLogger(__name__)
MOST_WAITING = 20
LONGEST_DEPLOYMENT = 255


class LtiPlatforms:
    """Whoever calls this is the operator, or has been asked by one; a launch only reads, and leaves who waits."""

    def __init__(
        self, store: Store, clock: Clock, *, plain_http: frozenset[str], configured: Sequence[LtiPlatform] = ()
    ) -> None:
        """plain_http: origins that the operator lets Homeroom reach without https. configured: written in the settings;
        they are registered when they are first needed, and again at the next start when they were removed.
        """
        self._documents, self._clock, self._plain_http = store.shared, clock, plain_http
        self._configured, self._registering, self._is_registering = list(configured), RLock(), False

    def all(self) -> Sequence[LtiPlatform]:
        """Every registration, by name."""
        self._register_configured()
        return read_all(platform_of, self._documents.find(COLLECTION, {}, order=[("name", 1)]))

    def get(self, id: str) -> LtiPlatform | None:
        self._register_configured()
        found = self._documents.get(COLLECTION, id)
        return platform_of(found) if found else None

    def of_login(self, issuer: str, client_id: str) -> LtiPlatform:
        """The registration that a login names; without a client id, the only one of its issuer.

        Raises `LaunchRefused`.
        """
        if client_id:
            found = self.get(platform_id(issuer, client_id))
            if found is None:
                raise LaunchRefused("platform_unknown")
            return found
        known = [platform for platform in self.all() if platform.issuer == issuer]
        if len(known) != 1:
            raise LaunchRefused("client_ambiguous" if known else "platform_unknown")
        return known[0]

    def add(self, platform: LtiPlatform) -> LtiPlatform:
        """Register, or change what is registered: deployments and frames are added to, the rest is replaced.

        Its id and time are made here. Raises `BadArguments` for what no launch could be checked with.
        """
        self._check(platform)
        id = platform_id(platform.issuer, platform.client_id)
        made = replace(platform, id=id, added_at=stamp(self._clock()))
        while True:
            try:
                self._documents.insert(COLLECTION, {**platform_document(made), "version": 1})
            except DuplicateDocument:
                if changed := self._change(id, lambda before: _updated(before, made)):
                    return changed
            else:
                return made

    def allow(self, id: str, deployment_id: str) -> LtiPlatform:
        """Let a deployment launch. Raises `BadArguments` for one that cannot be, or a platform that is gone."""
        if not deployment_id.strip() or len(deployment_id) > LONGEST_DEPLOYMENT:
            raise BadArguments(gettext("That is no deployment id."), field="deployment")

        def allowed(before: LtiPlatform) -> LtiPlatform:
            waiting = tuple(other for other in before.waiting if other != deployment_id)
            return replace(before, deployments=merged(before.deployments, [deployment_id]), waiting=waiting)

        return self._require(self._change(id, allowed))

    def forbid(self, id: str, deployment_id: str) -> LtiPlatform:
        """Let a deployment launch no more, or wait no more."""

        def without(before: LtiPlatform) -> LtiPlatform:
            deployments = tuple(other for other in before.deployments if other != deployment_id)
            waiting = tuple(other for other in before.waiting if other != deployment_id)
            return replace(before, deployments=deployments, waiting=waiting)

        return self._require(self._change(id, without))

    def note_waiting(self, id: str, deployment_id: str) -> None:
        """Note a deployment that launched before it was allowed, for the operator; the latest twenty."""
        self._change(
            id, lambda before: replace(before, waiting=merged(before.waiting, [deployment_id])[-MOST_WAITING:])
        )

    def remove(self, id: str) -> bool:
        """Take a registration out. Its classes stay, and a new registration at the same issuer finds them again."""
        return self._documents.delete(COLLECTION, {"id": id}) > 0

    def _register_configured(self) -> None:
        if not self._configured:
            return
        with self._registering:
            while self._configured and not self._is_registering:
                self._is_registering = True
                try:
                    self._register(self._configured[0])
                    self._configured = self._configured[1:]
                finally:
                    self._is_registering = False

    def _register(self, platform: LtiPlatform) -> None:
        try:
            self.add(platform)
        except BadArguments as error:
            log.error("lti_platform_not_registered field=%s", error.field)

    def _change(self, id: str, change: Callable[[LtiPlatform], LtiPlatform]) -> LtiPlatform | None:
        while (before := self._documents.get(COLLECTION, id)) is not None:
            made = change(platform_of(before))
            fields = {name: value for name, value in platform_document(made).items() if name != "id"}
            fields["version"] = before["version"] + 1
            if after := self._documents.compare_and_set(COLLECTION, id, {"version": before["version"]}, fields):
                return platform_of(after)
        return None

    def _require(self, changed: LtiPlatform | None) -> LtiPlatform:
        if changed is None:
            raise BadArguments(gettext("This school system is not registered any more."), field="id")
        return changed

    def _check(self, platform: LtiPlatform) -> None:
        for field in ("name", "issuer", "client_id"):
            text = getattr(platform, field)
            if not text.strip() or len(text) > LONGEST or not text.isprintable():
                raise BadArguments(gettext("Give a name, an issuer and a client ID."), field=field)
        for field in ("authorization_url", "token_url", "jwks_url"):
            if not self.is_reachable_address(getattr(platform, field)):
                raise BadArguments(gettext("Each of its addresses must be a full https address."), field=field)
        if not all(is_frame_source(frame) for frame in platform.frames):
            raise BadArguments(gettext("Write each frame like https://canvas.example.edu."), field="frames")
        if not all(id.strip() and len(id) <= LONGEST_DEPLOYMENT for id in platform.deployments):
            raise BadArguments(gettext("That is no deployment id."), field="deployment")
        self._check_issuer(platform)

    def _check_issuer(self, platform: LtiPlatform) -> None:
        """Two systems with keys of their own under one issuer could each sign launches of the other one's people."""
        others = [known for known in self.all() if known.issuer == platform.issuer]
        if any(known.jwks_url != platform.jwks_url and known.client_id != platform.client_id for known in others):
            raise BadArguments(
                gettext("This issuer is registered with other keys. Remove that registration first."), field="issuer"
            )

    def is_reachable_address(self, address: str) -> bool:
        """Whether an address is https, or at an origin that the operator lets Homeroom reach without it."""
        origin = origin_of(address)
        return len(address) <= LONGEST and (origin.startswith("https://") or origin in self._plain_http)


def platform_id(issuer: str, client_id: str) -> str:
    """Id of the one registration of a client at an issuer."""
    return hashlib.sha256(json.dumps([issuer, client_id]).encode()).hexdigest()[:24]


def _updated(before: LtiPlatform, made: LtiPlatform) -> LtiPlatform:
    return replace(
        made,
        deployments=merged(before.deployments, made.deployments),
        waiting=tuple(id for id in before.waiting if id not in made.deployments),
        frames=merged(before.frames, made.frames),
        added_at=before.added_at,
    )
