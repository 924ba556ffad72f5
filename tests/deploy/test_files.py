"""What a school's IT deploys: valid by the schemas, without root, ended in time, and true to the settings."""

import http.server
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from services.settings import ROOT
from tests.structure import PRODUCTION, imported_names

SCHEMAS = Path(__file__).parent / "schemas"
KUBERNETES = ROOT / "deploy" / "kubernetes"
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
IMAGE = (ROOT / "Containerfile").read_text()
GROUPS = {"apps/v1": "-apps", "networking.k8s.io/v1": "-networking", "policy/v1": "-policy", "v1": ""}


def ending_s() -> float:
    """How long a process takes to end at most; read, as importing an app takes longer than all of these tests."""
    constants = (("api/app_factory.py", "DRAIN_S"), ("api/graceful_shutdown.py", "GRACE_S"))
    found = [re.search(rf"^{name} = ([\d.]+)$", (ROOT / path).read_text(), re.MULTILINE) for path, name in constants]
    return sum(float(match[1]) for match in found if match) if all(found) else float("inf")


def manifests() -> Iterator[tuple[str, dict[str, Any]]]:
    for file in sorted(KUBERNETES.glob("*.yaml")):
        for manifest in yaml.safe_load_all(file.read_text()):
            if manifest["kind"] != "Kustomization":
                yield f"{file.name}: {manifest['kind']}", manifest


def of_kind(kind: str) -> dict[str, Any]:
    return next(manifest for _, manifest in manifests() if manifest["kind"] == kind)


def pod() -> dict[str, Any]:
    spec: dict[str, Any] = of_kind("Deployment")["spec"]["template"]["spec"]
    return spec


def settings_of_example() -> set[str]:
    text = (ROOT / ".env.example").read_text()
    return set(re.findall(r"^#? ?([A-Z][A-Z0-9_]+)=", text, re.MULTILINE))


@pytest.mark.parametrize(("name", "manifest"), [pytest.param(*found, id=found[0]) for found in manifests()])
def test_a_manifest_is_what_kubernetes_takes(name: str, manifest: dict[str, Any]) -> None:
    """The strict schemas of 1.35: a field that is spelled wrong fails, too."""
    definitions = json.loads((SCHEMAS / "kubernetes.json").read_text())["definitions"]
    which = f"{manifest['kind'].lower()}{GROUPS[manifest['apiVersion']]}-v1"
    schema = {"$ref": f"#/definitions/{which}", "definitions": definitions}

    assert [error.message for error in jsonschema.Draft7Validator(schema).iter_errors(manifest)] == [], name


def test_the_schemas_would_tell() -> None:
    definitions = json.loads((SCHEMAS / "kubernetes.json").read_text())["definitions"]
    wrong = of_kind("Deployment")
    wrong["spec"]["template"]["spec"]["containers"][0]["readynessProbe"] = {}
    schema = {"$ref": "#/definitions/deployment-apps-v1", "definitions": definitions}

    assert list(jsonschema.Draft7Validator(schema).iter_errors(wrong))


def test_the_kustomization_names_files_that_are_there() -> None:
    named = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())["resources"]

    assert set(named) == {file.name for file in KUBERNETES.glob("*.yaml")} - {
        "kustomization.yaml",
        "secret.example.yaml",
    }


def test_compose_is_what_its_specification_says() -> None:
    schema = json.loads((SCHEMAS / "compose.json").read_text())

    assert [error.message for error in jsonschema.Draft7Validator(schema).iter_errors(COMPOSE)] == []


def test_nothing_runs_as_root_or_writes_to_its_image() -> None:
    """A program that is broken into writes nothing of itself, and is nobody (T48)."""
    container = pod()["containers"][0]
    replicas = [COMPOSE["services"][name] for name in ("homeroom-1", "homeroom-2")]

    assert re.findall(r"^USER (.+)$", IMAGE, re.MULTILINE) == ["10001:10001"]
    assert pod()["securityContext"]["runAsNonRoot"]
    assert container["securityContext"]["readOnlyRootFilesystem"]
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert {mount["mountPath"] for mount in container["volumeMounts"]} == {"/data", "/tmp"}
    assert [(it["read_only"], it["cap_drop"]) for it in replicas] == [(True, ["ALL"])] * 2
    assert [service for service, it in COMPOSE["services"].items() if not it.get("healthcheck")] == []


def test_everybody_grants_the_time_that_running_answers_get() -> None:
    pause_s = int(pod()["containers"][0]["lifecycle"]["preStop"]["exec"]["command"][1])

    assert pod()["terminationGracePeriodSeconds"] >= pause_s + ending_s() + 10
    for name in ("homeroom-1", "homeroom-2", "proxy"):
        assert int(COMPOSE["services"][name]["stop_grace_period"].removesuffix("s")) >= ending_s() + 10


def test_every_setting_that_they_name_is_one() -> None:
    secret, public = of_kind("Secret")["stringData"], of_kind("ConfigMap")["data"]
    of_compose = COMPOSE["services"]["homeroom-1"]["environment"]
    named = {*secret, *public, *(name.removesuffix("_FILE") for name in of_compose)}

    assert sorted(named - settings_of_example()) == []
    assert set(secret.values()) == {""}


def test_the_secrets_of_compose_are_declared_and_used() -> None:
    services = COMPOSE["services"].values()
    mounted = {name for service in services for name in service.get("secrets", [])}
    read = set(re.findall(r"/run/secrets/(\w+)", (ROOT / "compose.yaml").read_text()))

    assert mounted == read == set(COMPOSE["secrets"])
    assert all(COMPOSE["secrets"][name]["file"] == f"./deploy/secrets/{name}" for name in mounted)


def test_what_runs_is_in_the_image_and_nothing_else() -> None:
    lines = (ROOT / ".containerignore").read_text().splitlines()
    taken = {line[1:] for line in lines if line.startswith("!")}
    rooms = {"app.py", "manage.py", *PRODUCTION, "components", "prompts", ".streamlit"}
    imported = {name.split(".")[0] for path in ("app.py", "manage.py") for name in imported_names(path)}

    assert "*" in lines
    assert rooms <= taken
    assert {room for room in imported if (ROOT / room).is_dir()} <= taken
    assert {path for path in taken if not (ROOT / path).exists()} == set()
    assert not taken & {".env", ".git", "tests", "training", "bench", "docs", "data"}
    assert (ROOT / ".dockerignore").read_text() == (ROOT / ".containerignore").read_text()


def test_what_the_image_copies_is_there() -> None:
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", IMAGE, re.MULTILINE)

    assert [path for paths in copied for path in paths.split() if not (ROOT / path).exists()] == []


class Answering(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/health" else 503)
        self.end_headers()
        self.wfile.write(b"told")

    def log_message(self, *_: object) -> None:
        """Nothing."""


def test_the_probe_tells_how_homeroom_answers() -> None:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = str(server.server_address[1])
        codes = [_probe(path, port) for path in ("/health", "/ready")]
        server.shutdown()

    assert codes == [0, 1]
    assert _probe("/health", port) == 1


def _probe(path: str, port: str) -> int:
    command = [sys.executable, "-SE", "deploy/probe.py", path]
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, "HOMEROOM_PORT": port}, capture_output=True, check=False
    ).returncode
