"""The request log and the other control routes."""

from tests.campus_server import CLIENT_SECRET, CampusServer


def test_a_request_is_in_the_log_before_its_answer_arrives(campus: CampusServer) -> None:
    campus.http.get(f"{campus.url}/canvas/courses/4201?from=mail")

    entry = campus.log()[0]
    assert (entry["service"], entry["method"], entry["path"]) == ("canvas", "GET", "/courses/4201")
    assert (entry["query"], entry["status"], entry["write"], entry["person"]) == ({"from": "mail"}, 200, False, None)


def test_an_entry_names_the_person_behind_the_token(campus: CampusServer) -> None:
    headers = {"authorization": f"Bearer {campus.token('canvas', 'diego')}"}
    campus.http.get(f"{campus.url}/canvas/api/v1/courses", headers=headers)

    assert campus.log(service="canvas")[-1]["person"] == "diego"


def test_tokens_codes_and_secrets_are_never_logged(campus: CampusServer) -> None:
    grant = campus.grant("canvas")
    form = {"grant_type": "refresh_token", "refresh_token": grant["refresh_token"], "client_id": "homeroom"}
    campus.http.post(f"{campus.url}/canvas/login/oauth2/token", data={**form, "client_secret": CLIENT_SECRET})
    campus.http.post(f"{campus.url}/notion/x", json={"deep": [{"access_token": grant["access_token"]}]})

    log = str(campus.log())
    assert "[hidden]" in log
    for secret in (grant["access_token"], grant["refresh_token"], CLIENT_SECRET):
        assert secret not in log


def test_a_secret_is_hidden_however_its_name_is_written(campus: CampusServer) -> None:
    headers = {"content-type": "application/json"}
    bodies = (r'{"\u0074oken" : "hush-1"}', '{"a": [{"Client_Secret":\n"hush-2"}]}', '{token: "hush-3"}')
    for body in (*bodies, '{"said": "é"}'):
        campus.http.post(f"{campus.url}/notion/x", content=body.encode(), headers=headers)

    *_, said = campus.log(service="notion")
    assert said["body"] == {"said": "é"}
    assert "hush" not in str(campus.log())


def test_the_log_is_filtered_by_service_method_and_id(campus: CampusServer) -> None:
    campus.http.get(f"{campus.url}/canvas/")
    campus.http.post(f"{campus.url}/oidc/token")
    campus.http.get(f"{campus.url}/oidc/jwks")

    first = campus.log()[0]["id"]
    assert [entry["path"] for entry in campus.log(service="oidc")] == ["/token", "/jwks"]
    assert [entry["path"] for entry in campus.log(method="post")] == ["/token"]
    assert len(campus.log(since=first)) == 2


def test_sign_in_and_tokens_are_not_writes(campus: CampusServer) -> None:
    campus.token("canvas")

    assert campus.log(writes=1) == []


def test_an_unknown_filter_is_refused(campus: CampusServer) -> None:
    assert campus.http.get(f"{campus.url}/log?sevice=canvas").status_code == 400


def test_clearing_the_log_never_reuses_ids(campus: CampusServer) -> None:
    campus.http.get(f"{campus.url}/canvas/")
    before = campus.log()[0]["id"]
    campus.http.delete(f"{campus.url}/log")
    campus.http.get(f"{campus.url}/canvas/")

    assert campus.log()[0]["id"] > before


def test_the_index_shows_the_people_and_where_to_look(campus: CampusServer) -> None:
    page = campus.http.get(campus.url, follow_redirects=True)

    assert page.status_code == 200
    for words in ("Maya Chen", "Anne Okafor", "/canvas/profile/settings", "/sandbox/log"):
        assert words in page.text


def test_a_reset_ends_every_grant_and_empties_the_log(campus: CampusServer) -> None:
    headers = {"authorization": f"Bearer {campus.token('canvas')}"}
    campus.reset()

    assert campus.log() == []
    assert campus.http.get(f"{campus.url}/canvas/api/v1/courses", headers=headers).status_code == 401
