"""Consent, codes, tokens and revocation of the campus's Google, driven by google-auth-oauthlib."""

from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from google.auth.exceptions import RefreshError
from google.auth.transport.requests import Request
from oauthlib.oauth2.rfc6749.errors import InvalidGrantError
from requests import Session

from tests.campus_server import CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, CampusServer
from tests.sandbox.google_clients import EVENTS_SCOPE, FULL_SCOPE, calendar, credentials, flow, refusal

CALENDAR_LIST_SCOPE = "https://www.googleapis.com/auth/calendar.calendarlist.readonly"


@pytest.fixture(autouse=True)
def _plain_http(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")


def test_a_consent_with_pkce_gives_access_and_refresh_tokens_for_the_asked_scopes(campus: CampusServer) -> None:
    grant = credentials(campus, scopes=(EVENTS_SCOPE, CALENDAR_LIST_SCOPE))

    assert grant.token
    assert grant.refresh_token
    assert set(grant.granted_scopes) == {EVENTS_SCOPE, CALENDAR_LIST_SCOPE}
    assert grant.valid


def test_the_consent_page_says_in_words_what_is_asked(campus: CampusServer) -> None:
    address, _ = flow(campus, [EVENTS_SCOPE]).authorization_url()

    page = httpx.get(address).text

    assert "View and edit events on all your calendars" in page
    assert "Maya Chen" in page
    assert "Diego Ramos" in page


def test_denying_returns_access_denied_and_the_state(campus: CampusServer) -> None:
    address, state = flow(campus, [EVENTS_SCOPE]).authorization_url(state="unguessable")

    query = parse_qs(urlsplit(campus.press(address, "maya", "Deny")).query)

    assert query == {"error": ["access_denied"], "state": [state]}


def test_allowing_returns_code_scope_and_state(campus: CampusServer) -> None:
    address, state = flow(campus, [EVENTS_SCOPE]).authorization_url()

    query = parse_qs(urlsplit(campus.press(address, "diego", "Allow")).query)

    assert query["state"] == [state]
    assert query["scope"] == [EVENTS_SCOPE]
    assert query["code"]


def test_a_code_is_worth_nothing_without_its_verifier(campus: CampusServer) -> None:
    dance = flow(campus, [EVENTS_SCOPE])
    address, _ = dance.authorization_url()
    dance.code_verifier = "x" * 64

    with pytest.raises(InvalidGrantError):
        dance.fetch_token(code=campus.consent(address))


def test_a_code_works_once(campus: CampusServer) -> None:
    dance = flow(campus, [EVENTS_SCOPE])
    address, _ = dance.authorization_url()
    code = campus.consent(address)
    dance.fetch_token(code=code)

    with pytest.raises(InvalidGrantError):
        dance.fetch_token(code=code)


def test_refreshing_gives_a_new_access_token(campus: CampusServer) -> None:
    grant = credentials(campus)
    first = grant.token

    with Session() as session:
        grant.refresh(Request(session))

    assert grant.token != first
    with calendar(campus, grant) as client:
        assert client.calendarList().get(calendarId="primary").execute()["primary"]


def test_only_offline_access_gives_a_refresh_token(campus: CampusServer) -> None:
    dance = flow(campus, [EVENTS_SCOPE])
    address, _ = dance.authorization_url(access_type="online")
    dance.fetch_token(code=campus.consent(address))

    assert dance.credentials.refresh_token is None


def test_a_second_consent_gives_a_refresh_token_only_when_consent_was_asked_for_again(campus: CampusServer) -> None:
    credentials(campus)
    dance = flow(campus, [EVENTS_SCOPE])
    address, _ = dance.authorization_url()
    dance.fetch_token(code=campus.consent(address))

    assert dance.credentials.refresh_token is None


def test_a_revoked_grant_neither_refreshes_nor_reads(campus: CampusServer) -> None:
    grant = credentials(campus)
    answer = httpx.post(f"{campus.url}/google/revoke", data={"token": grant.refresh_token})
    assert answer.status_code == 200

    with pytest.raises(RefreshError, match="invalid_grant: Token has been expired or revoked"), Session() as session:
        grant.refresh(Request(session))
    old = httpx.get(f"{campus.url}/google/calendar/v3/users/me/calendarList", headers=_bearer(str(grant.token)))
    assert old.status_code == 401
    assert old.json()["error"]["errors"][0]["reason"] == "authError"


def test_revoking_a_person_at_the_campus_ends_the_grant(campus: CampusServer) -> None:
    grant = credentials(campus, "maya")
    other = credentials(campus, "diego")

    campus.fault(service="google", fault="revoke_tokens", person="maya")

    with pytest.raises(RefreshError), Session() as session:
        grant.refresh(Request(session))
    with Session() as session:
        other.refresh(Request(session))


def test_revoking_an_unknown_token_is_refused(campus: CampusServer) -> None:
    answer = httpx.post(f"{campus.url}/google/revoke", params={"token": "nonsense"})

    assert answer.status_code == 400
    assert answer.json()["error"] == "invalid_token"


def test_a_wrong_client_secret_is_refused(campus: CampusServer) -> None:
    fields = {"client_id": CLIENT_ID, "client_secret": "wrong", "grant_type": "refresh_token", "refresh_token": "x"}

    answer = httpx.post(f"{campus.url}/google/token", data=fields)

    assert answer.status_code == 401
    assert answer.json()["error"] == "invalid_client"


def test_an_unknown_grant_type_is_refused(campus: CampusServer) -> None:
    fields = {"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET, "grant_type": "password"}

    answer = httpx.post(f"{campus.url}/google/token", data=fields)

    assert answer.json()["error"] == "unsupported_grant_type"


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"redirect_uri": "https://attacker.example/connections"}, "redirect_uri_mismatch"),
        ({"scope": "https://www.googleapis.com/auth/everything"}, "invalid_scope"),
        ({"client_id": "someone-else"}, "invalid_client"),
        ({"response_type": "token"}, "unsupported_response_type"),
    ],
)
def test_a_bad_authorization_request_never_leaves_google(
    campus: CampusServer, change: dict[str, str], error: str
) -> None:
    query = {"client_id": CLIENT_ID, "redirect_uri": REDIRECT_URI, "response_type": "code", "scope": EVENTS_SCOPE}

    answer = httpx.get(f"{campus.url}/google/o/oauth2/v2/auth", params=query | change)

    assert answer.status_code in (400, 401)
    assert error in answer.text


def test_a_token_without_the_scope_is_refused_by_name(campus: CampusServer) -> None:
    with calendar(campus, credentials(campus, scopes=(CALENDAR_LIST_SCOPE,))) as client:
        assert refusal(client.events().list(calendarId="primary")) == (403, "insufficientPermissions")


def test_read_only_scope_reads_but_does_not_write(campus: CampusServer) -> None:
    grant = credentials(campus, scopes=(f"{FULL_SCOPE}.readonly",))

    with calendar(campus, grant) as client:
        assert client.events().list(calendarId="primary").execute()["items"]
        body = {"start": {"date": "2030-01-01"}, "end": {"date": "2030-01-02"}}
        assert refusal(client.events().insert(calendarId="primary", body=body)) == (403, "insufficientPermissions")


def test_no_token_is_not_a_bad_token(campus: CampusServer) -> None:
    answer = httpx.get(f"{campus.url}/google/calendar/v3/users/me/calendarList")

    assert answer.status_code == 401
    assert answer.json()["error"]["errors"][0]["reason"] == "required"


def test_no_secret_reaches_the_log(campus: CampusServer) -> None:
    grant = credentials(campus)

    text = str(campus.log(service="google"))

    assert str(grant.token) not in text
    assert str(grant.refresh_token) not in text
    assert CLIENT_SECRET not in text


def _bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}
