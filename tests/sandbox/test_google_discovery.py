"""The campus's Google held against the discovery document: paths, parameters, defaults, etags and guests."""

import re
from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.routing import Route

from sandbox.campus import Campus
from sandbox.google import routes
from sandbox.google.discovery import document
from tests.campus_server import CampusServer
from tests.sandbox.google_clients import FULL_SCOPE, Raw, calendar, check, credentials, reason, refusal

NOT_PLAYED = {
    *(f"acl.{verb}" for verb in ("delete", "get", "insert", "list", "patch", "update", "watch")),
    *(f"calendarList.{verb}" for verb in ("delete", "insert", "patch", "update", "watch")),
    *(f"calendars.{verb}" for verb in ("clear", "delete", "insert", "patch", "transferOwnership", "update")),
    *("channels.stop", "colors.get", "events.move", "events.quickAdd", "events.watch", "settings.watch"),
}
SAMPLES = {"eventTypes": "default", "minAccessRole": "reader", "orderBy": "updated", "sendUpdates": "none"}
OF_FORMAT = {"date-time": "2031-03-04T15:00:00Z", "int32": "2"}
ALONE = {"pageToken", "syncToken", "originalStart"}
"""Parameters whose values come from an earlier answer; they have tests of their own."""


@pytest.fixture(autouse=True)
def _plain_http(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")


@pytest.fixture
def raw(campus: CampusServer) -> Raw:
    return Raw(campus, str(credentials(campus, scopes=(FULL_SCOPE,)).token))


@pytest.fixture
def events(campus: CampusServer) -> Iterator[Any]:
    with calendar(campus, credentials(campus)) as service:
        yield service.events()


def methods() -> dict[str, Mapping[str, Any]]:
    """Methods of the document by their names."""
    resources = document()["resources"].items()
    return {f"{name}.{verb}": spec for name, resource in resources for verb, spec in resource["methods"].items()}


def shape_of(path: str) -> str:
    return re.sub(r"\{[^}]+\}", "*", path)


def timed(**more: Any) -> dict[str, Any]:
    edges = {
        name: {"dateTime": f"2031-03-04T{hour}:00:00", "timeZone": "America/Chicago"}
        for name, hour in (("start", 15), ("end", 16))
    }
    return {"summary": "Study session", **edges, **more}


def test_every_route_is_a_method_of_the_document_and_what_is_missing_is_listed() -> None:
    described = {
        (spec["httpMethod"], f"/calendar/v3/{shape_of(spec['path'])}"): name for name, spec in methods().items()
    }

    played = {
        (verb, shape_of(route.path))
        for route in routes(cast(Campus, SimpleNamespace(state=None)))
        if isinstance(route, Route) and route.path.startswith("/calendar/v3/")
        for verb in (route.methods or set()) - {"HEAD"}
    }

    assert played <= described.keys()
    assert {described[key] for key in described.keys() - played} == NOT_PLAYED


def test_every_parameter_that_the_document_names_is_taken(raw: Raw) -> None:
    event = raw.send("POST", "/calendars/primary/events", json=timed(recurrence=["RRULE:FREQ=DAILY;COUNT=3"])).json()
    refused = {}
    for name, spec in methods().items():
        if name in NOT_PLAYED or spec["httpMethod"] != "GET":
            continue
        path = f"/{spec['path']}".format(calendarId="primary", eventId=event["id"], setting="locale")
        for key, parameter in {**document()["parameters"], **spec.get("parameters", {})}.items():
            if parameter["location"] == "query" and key not in ALONE:
                answer = raw.send("GET", path, params={key: sample(key, parameter)})
                refused |= {} if answer.status_code == 200 else {f"{name} {key}": answer.text}

    assert refused == {}


def sample(key: str, parameter: Mapping[str, Any]) -> str:
    if key in SAMPLES or parameter["type"] == "boolean":
        return SAMPLES.get(key, "true")
    plain = {"timeZone": "Europe/Berlin", "fields": "kind", "alt": "json"}.get(key)
    in_pairs = "a=b" if key.endswith("ExtendedProperty") else "text"
    return plain or OF_FORMAT.get(parameter.get("format", ""), in_pairs)


def test_a_list_is_as_long_as_the_document_says_when_nobody_says(raw: Raw) -> None:
    items = raw.send("GET", "/calendars/primary/events", params={"singleEvents": "true"}).json()["items"]

    assert methods()["events.list"]["parameters"]["maxResults"]["default"] == "250"
    assert len(items) == 250


@pytest.mark.parametrize(
    "path",
    [
        "/calendars/primary/events/{event}",
        "/calendars/primary/events",
        "/calendars/primary",
        "/users/me/calendarList",
        "/users/me/calendarList/primary",
        "/users/me/settings",
        "/users/me/settings/locale",
    ],
)
def test_what_has_not_changed_is_not_sent_again(raw: Raw, path: str) -> None:
    event = raw.send("POST", "/calendars/primary/events", json=timed()).json()["id"]
    first = raw.send("GET", path.format(event=event))

    def again(tags: str) -> Any:
        raw.headers["if-none-match"] = tags
        answer = raw.send("GET", path.format(event=event))
        del raw.headers["if-none-match"]
        return answer

    assert first.headers["etag"] == first.json()["etag"]
    for tags in (first.headers["etag"], f'"other", W/{first.headers["etag"]}', "*"):
        assert (again(tags).status_code, again(tags).content) == (304, b"")
    assert again('"other"').status_code == 200
    assert again('"other"').json()["etag"] == first.json()["etag"]


def test_a_changed_event_is_sent_again_and_so_is_its_list(raw: Raw) -> None:
    event = raw.send("POST", "/calendars/primary/events", json=timed()).json()
    window = {"timeMin": "2031-03-04T00:00:00Z", "timeMax": "2031-03-06T00:00:00Z"}
    listed = raw.send("GET", "/calendars/primary/events", params=window)
    raw.send("DELETE", f"/calendars/primary/events/{event['id']}")

    raw.headers["if-none-match"] = f"{event['etag']}, {listed.headers['etag']}"

    assert raw.send("GET", f"/calendars/primary/events/{event['id']}").json()["status"] == "cancelled"
    assert raw.send("GET", "/calendars/primary/events", params=window).json()["items"] == []


def test_lists_that_do_not_change_end_with_a_sync_token(raw: Raw) -> None:
    for path in ("/users/me/calendarList", "/users/me/settings"):
        token = raw.send("GET", path).json()["nextSyncToken"]

        assert raw.send("GET", path, params={"syncToken": token}).json()["items"] == []
        assert reason(raw.send("GET", path, params={"syncToken": "old"})) == (410, "fullSyncRequired")


def test_who_is_the_reader_and_who_organizes_it_google_says_alone(events: Any) -> None:
    guests = [{"email": "maya.chen@campus.example"}, {"email": "diego@x.example", "self": True, "organizer": True}]
    event = events.insert(calendarId="primary", body=timed(attendees=guests)).execute()

    check("Event", event)
    me, diego = event["attendees"]
    assert (me["self"], me["organizer"]) == (True, True)
    assert {"self", "organizer"}.isdisjoint(diego)


def test_more_guests_than_asked_for_are_left_out_but_for_the_reader(events: Any) -> None:
    guests = [{"email": f"{name}@campus.example"} for name in ("maya.chen", "a", "b")]
    event = events.insert(calendarId="primary", body=timed(attendees=guests), maxAttendees=2).execute()

    whole = events.get(calendarId="primary", eventId=event["id"], maxAttendees=3).execute()
    check("Event", event)
    assert event["attendeesOmitted"] is True
    assert [guest["email"] for guest in event["attendees"]] == ["maya.chen@campus.example"]
    assert len(whole["attendees"]) == 3


INVITATION = timed(
    iCalUID="invite-1@elsewhere.example",
    organizer={"email": "priya@elsewhere.example", "displayName": "Priya"},
    attendees=[{"email": "maya.chen@campus.example", "responseStatus": "accepted"}],
)


def test_an_imported_invitation_stays_its_organizers(events: Any) -> None:
    event = events.import_(calendarId="primary", body=INVITATION).execute()
    again = events.import_(calendarId="primary", body=INVITATION | {"summary": "Moved"}).execute()
    where = {"calendarId": "primary", "eventId": event["id"]}

    check("Event", event)
    assert event["organizer"] == {"email": "priya@elsewhere.example", "displayName": "Priya"}
    assert (again["id"], again["summary"]) == (event["id"], "Moved")
    assert refusal(events.patch(**where, body={"summary": "Mine"})) == (403, "forbiddenForNonOrganizer")
    assert refusal(events.patch(**where, body={"location": "Here"})) == (403, "forbiddenForNonOrganizer")
    events.patch(**where, body={"reminders": {"useDefault": False, "overrides": []}}).execute()
    events.delete(**where).execute()
    assert events.get(**where).execute()["status"] == "cancelled"


def test_guests_may_change_what_its_organizer_lets_them(events: Any) -> None:
    event = events.import_(calendarId="primary", body=INVITATION | {"guestsCanModify": True}).execute()

    changed = events.patch(calendarId="primary", eventId=event["id"], body={"summary": "Mine"}).execute()

    assert changed["summary"] == "Mine"


@pytest.mark.parametrize("words", ["priya", "elsewhere.example", "maya.chen", "study PRIYA"])
def test_words_are_looked_for_in_the_names_and_addresses_of_all_who_take_part(events: Any, words: str) -> None:
    events.import_(calendarId="primary", body=INVITATION).execute()

    found = events.list(calendarId="primary", q=words, timeMin="2031-01-01T00:00:00Z").execute()["items"]

    assert "Study session" in [item["summary"] for item in found]
