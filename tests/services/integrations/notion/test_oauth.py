from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from services.connections.connector import Grant, OAuthClient
from services.errors import ReconnectRequired, RequestRefused, ServiceUnavailable
from services.integrations.base import Integration
from services.integrations.notion import integration
from tests.campus_server import REDIRECT_URI, CampusServer
from tests.services.integrations.notion.conftest import connect


@pytest.fixture
def oauth(notion: Integration) -> OAuthClient:
    assert notion.oauth is not None
    return notion.oauth


def address(oauth: OAuthClient) -> str:
    return oauth.authorize_url(origin="", redirect_uri=REDIRECT_URI, state="state-1", verifier="unused")


def exchange(oauth: OAuthClient, code: str) -> Grant:
    return oauth.exchange(origin="", redirect_uri=REDIRECT_URI, code=code, verifier="unused")


@pytest.fixture
def grant(campus: CampusServer, oauth: OAuthClient) -> Grant:
    return exchange(oauth, campus.consent(address(oauth)))


def test_the_consent_address_names_client_state_and_where_to_return(campus: CampusServer, oauth: OAuthClient) -> None:
    url = urlsplit(address(oauth))

    assert f"{url.scheme}://{url.netloc}{url.path}" == f"{campus.url}/notion/v1/oauth/authorize"
    assert parse_qs(url.query) == {
        "client_id": ["homeroom"],
        "response_type": ["code"],
        "owner": ["user"],
        "redirect_uri": [REDIRECT_URI],
        "state": ["state-1"],
    }


def test_the_whole_dance_gives_a_grant_that_works(notion: Integration, grant: Grant) -> None:
    assert notion.identify(grant).name == "Maya Chen"
    assert grant.refresh_token
    assert grant.expires_at is None
    assert grant.access_token not in repr(grant)


def test_a_denial_comes_back_without_a_code(campus: CampusServer, oauth: OAuthClient) -> None:
    back = parse_qs(urlsplit(campus.press(address(oauth), "maya", "Deny")).query)

    assert back == {"error": ["access_denied"], "state": ["state-1"]}


def test_a_code_works_once(campus: CampusServer, oauth: OAuthClient) -> None:
    code = campus.consent(address(oauth))
    exchange(oauth, code)

    with pytest.raises(RequestRefused, match="used already") as caught:
        exchange(oauth, code)

    assert "Press Connect" in caught.value.next_step


def test_a_refresh_gives_new_tokens_and_the_old_refresh_token_is_spent(
    notion: Integration, oauth: OAuthClient, grant: Grant
) -> None:
    fresh = oauth.refresh(grant)

    assert notion.identify(fresh).name == "Maya Chen"
    assert fresh.refresh_token != grant.refresh_token
    with pytest.raises(ReconnectRequired):
        oauth.refresh(grant)


def test_a_revoked_grant_asks_to_reconnect(
    campus: CampusServer, notion: Integration, oauth: OAuthClient, grant: Grant
) -> None:
    campus.fault(service="notion", fault="revoke_tokens", person="maya")

    with pytest.raises(ReconnectRequired):
        notion.identify(grant)
    with pytest.raises(ReconnectRequired):
        oauth.refresh(grant)
    with pytest.raises(ReconnectRequired):
        oauth.refresh(replace(grant, refresh_token=None))


def test_revoking_ends_the_grant_and_may_be_repeated(notion: Integration, oauth: OAuthClient, grant: Grant) -> None:
    oauth.revoke(grant)
    oauth.revoke(grant)

    with pytest.raises(ReconnectRequired):
        notion.identify(grant)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"fault": "status", "status": 503}, "having trouble"),
        ({"fault": "html"}, "in maintenance"),
        ({"fault": "lose_response"}, "broke off"),
        ({"fault": "redirect_loop"}, "another address"),
    ],
)
def test_a_token_endpoint_in_trouble_is_no_reason_to_reconnect(
    campus: CampusServer, oauth: OAuthClient, grant: Grant, fault: dict[str, object], words: str
) -> None:
    campus.fault(service="notion", path="/v1/oauth/*", times=0, **fault)

    for attempt in (oauth.refresh, oauth.revoke, lambda _: exchange(oauth, "code")):
        with pytest.raises(ServiceUnavailable, match=words):
            attempt(grant)


def test_a_wrong_client_secret_is_the_operators_to_mend(campus: CampusServer, grant: Grant) -> None:
    wrong = connect(campus, secret="wrong").oauth
    assert wrong is not None

    for attempt in (wrong.refresh, wrong.revoke, lambda _: exchange(wrong, "code")):
        with pytest.raises(RequestRefused, match="invalid_client") as caught:
            attempt(grant)
        assert "NOTION_CLIENT_SECRET" in caught.value.next_step


def test_without_a_base_address_it_is_notion_itself() -> None:
    real = integration({"CLIENT_ID": "id", "CLIENT_SECRET": "secret"})
    assert real is not None
    assert real.oauth is not None

    assert address(real.oauth).startswith("https://api.notion.com/v1/oauth/authorize?")
