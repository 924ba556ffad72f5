import hashlib
from base64 import urlsafe_b64encode
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from services.connections.connector import Grant, OAuthClient
from services.errors import PermissionMissing, ReconnectRequired, RequestRefused, ServiceUnavailable
from services.integrations.base import Integration
from services.integrations.google_calendar import integration
from services.integrations.google_calendar.oauth import GoogleOAuth, endpoints_at
from services.runtime.clock import utc_now
from tests.campus_server import REDIRECT_URI, CampusServer

VERIFIER = "a-verifier-of-forty-three-characters-or-more-0123456789"
EVENTS = "https://www.googleapis.com/auth/calendar.events"
CALENDAR_LIST = "https://www.googleapis.com/auth/calendar.calendarlist.readonly"


@pytest.fixture
def oauth(google: Integration) -> OAuthClient:
    assert google.oauth is not None
    return google.oauth


def address(oauth: OAuthClient, verifier: str = VERIFIER) -> str:
    return oauth.authorize_url(origin="", redirect_uri=REDIRECT_URI, state="state-1", verifier=verifier)


def exchange(oauth: OAuthClient, code: str, verifier: str = VERIFIER) -> Grant:
    return oauth.exchange(origin="", redirect_uri=REDIRECT_URI, code=code, verifier=verifier)


@pytest.fixture
def grant(campus: CampusServer, oauth: OAuthClient) -> Grant:
    return exchange(oauth, campus.consent(address(oauth)))


def test_the_callback_names_an_issuer_that_the_integration_knows(campus: CampusServer, oauth: OAuthClient) -> None:
    """Google sends `iss` (RFC 9207): https://accounts.google.com/.well-known/openid-configuration"""
    real = GoogleOAuth(client_id="i", client_secret="s", endpoints=endpoints_at(""), clock=utc_now)

    (told,) = parse_qs(urlsplit(campus.press(address(oauth), "maya", "Allow")).query)["iss"]

    assert "https://accounts.google.com" in real.issuers("")
    assert told in oauth.issuers("")


def test_the_consent_address_asks_for_what_is_needed_and_pkce(campus: CampusServer, oauth: OAuthClient) -> None:
    url = urlsplit(address(oauth))

    query = {name: values[0] for name, values in parse_qs(url.query).items()}
    challenge = urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
    assert f"{url.scheme}://{url.netloc}{url.path}" == f"{campus.url}/google/o/oauth2/v2/auth"
    assert query == {
        "response_type": "code",
        "client_id": "homeroom",
        "redirect_uri": REDIRECT_URI,
        "scope": f"{EVENTS} {CALENDAR_LIST}",
        "state": "state-1",
        "access_type": "offline",
        "prompt": "consent",
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }


def test_the_whole_dance_gives_a_refreshable_grant_that_works(google: Integration, grant: Grant) -> None:
    assert set(grant.scopes) == {EVENTS, CALENDAR_LIST}
    assert grant.refresh_token
    assert grant.expires_at is not None
    assert timedelta(minutes=50) < grant.expires_at - datetime.now(UTC) < timedelta(minutes=61)
    account = google.identify(grant)
    assert (account.name, account.timezone) == ("Maya Chen", "America/Chicago")
    assert grant.access_token not in repr(grant)
    assert grant.refresh_token not in repr(grant)


def test_a_denial_comes_back_without_a_code(campus: CampusServer, oauth: OAuthClient) -> None:
    back = parse_qs(urlsplit(campus.press(address(oauth), "maya", "Deny")).query)

    assert back == {"state": ["state-1"], "error": ["access_denied"]}


def test_a_code_works_once_and_only_with_its_own_verifier(campus: CampusServer, oauth: OAuthClient) -> None:
    code = campus.consent(address(oauth))
    with pytest.raises(RequestRefused, match="too long or was used already"):
        exchange(oauth, code, verifier="another-verifier-that-somebody-else-made-up-000000")
    other = campus.consent(address(oauth))
    exchange(oauth, other)

    with pytest.raises(RequestRefused, match="used already"):
        exchange(oauth, other)


def test_a_partial_consent_is_refused_in_words_and_leaves_nothing_behind(
    campus: CampusServer, oauth: OAuthClient
) -> None:
    partly = address(oauth).replace("+" + CALENDAR_LIST.replace(":", "%3A").replace("/", "%2F"), "")
    assert partly != address(oauth)

    with pytest.raises(PermissionMissing, match="see the list of your calendars is missing") as caught:
        exchange(oauth, campus.consent(partly))

    assert "tick every box" in caught.value.next_step
    assert [entry["status"] for entry in campus.log(service="google") if entry["path"] == "/revoke"] == [200]


def test_a_refresh_gives_a_new_access_token_and_keeps_the_refresh_token(
    google: Integration, oauth: OAuthClient, grant: Grant
) -> None:
    fresh = oauth.refresh(replace(grant, access_token="expired"))

    assert fresh.access_token not in ("expired", grant.access_token)
    assert fresh.refresh_token == grant.refresh_token
    assert set(fresh.scopes) == set(grant.scopes)
    assert google.identify(fresh).name == "Maya Chen"


def test_a_revoked_grant_asks_to_reconnect_after_one_try_and_names_the_causes(
    campus: CampusServer, oauth: OAuthClient, grant: Grant
) -> None:
    campus.fault(service="google", fault="revoke_tokens", person="maya")
    before = len([e for e in campus.log(service="google") if e["path"] == "/token"])

    with pytest.raises(ReconnectRequired) as caught:
        oauth.refresh(grant)

    assert "still in testing" in caught.value.next_step
    assert len([e for e in campus.log(service="google") if e["path"] == "/token"]) == before + 1


def test_a_grant_without_a_refresh_token_asks_to_reconnect(oauth: OAuthClient, grant: Grant) -> None:
    with pytest.raises(ReconnectRequired):
        oauth.refresh(replace(grant, refresh_token=None))


def test_revoking_ends_the_grant_and_may_be_repeated(google: Integration, oauth: OAuthClient, grant: Grant) -> None:
    oauth.revoke(grant)
    oauth.revoke(grant)

    with pytest.raises(ReconnectRequired):
        google.identify(grant)
    with pytest.raises(ReconnectRequired):
        oauth.refresh(grant)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"fault": "status", "status": 503}, "having trouble with sign-ins"),
        ({"fault": "html"}, "in maintenance"),
        ({"fault": "lose_response"}, "cannot be reached"),
        ({"fault": "redirect_loop"}, "in circles|another address"),
    ],
)
def test_a_token_endpoint_in_trouble_is_no_reason_to_reconnect(
    campus: CampusServer, oauth: OAuthClient, grant: Grant, fault: dict[str, object], words: str
) -> None:
    code = campus.consent(address(oauth))
    campus.fault(service="google", path="/token", times=0, **fault)

    with pytest.raises(ServiceUnavailable, match=words):
        oauth.refresh(grant)
    with pytest.raises(ServiceUnavailable, match=words):
        exchange(oauth, code)


def test_a_wrong_client_secret_is_the_operators_to_mend(campus: CampusServer, oauth: OAuthClient, grant: Grant) -> None:
    code = campus.consent(address(oauth))
    wrong = integration({"CLIENT_ID": "homeroom", "CLIENT_SECRET": "wrong", "API_BASE_URL": f"{campus.url}/google"})
    assert wrong is not None
    assert wrong.oauth is not None

    for attempt in (lambda o: exchange(o, code), lambda o: o.refresh(grant)):
        with pytest.raises(RequestRefused, match="invalid_client") as caught:
            attempt(wrong.oauth)
        assert "GOOGLE_CLIENT_SECRET" in caught.value.next_step
        assert "wrong" not in str(caught.value)


def test_an_address_with_https_stays_https() -> None:
    real = integration({"CLIENT_ID": "id", "CLIENT_SECRET": "secret"})
    assert real is not None
    assert real.oauth is not None

    url = address(real.oauth)

    assert url.startswith("https://accounts.google.com/o/oauth2/v2/auth?")
    assert "http://accounts" not in url


def test_a_secret_for_an_https_address_never_travels_over_http(
    campus: CampusServer, oauth: OAuthClient, grant: Grant
) -> None:
    code = campus.consent(address(oauth))
    tried = len(campus.log(service="google"))
    secure = integration(
        {
            "CLIENT_ID": "homeroom",
            "CLIENT_SECRET": "homeroom-demo-secret",
            "API_BASE_URL": f"{campus.url}/google".replace("http://", "https://"),
        }
    )
    assert secure is not None
    assert secure.oauth is not None

    for attempt in (lambda o: exchange(o, code), lambda o: o.refresh(grant), lambda o: o.revoke(grant)):
        with pytest.raises(ServiceUnavailable, match="cannot be reached"):
            attempt(secure.oauth)

    assert len(campus.log(service="google")) == tried
