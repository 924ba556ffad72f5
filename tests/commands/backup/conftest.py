"""A deployment on SQLite with one student, whose settings are those of this process."""

from contextlib import closing
from pathlib import Path

import pytest

from services.connections.vault import KeyRing, Vault
from services.identity.students import Students
from services.runtime.clock import utc_now
from services.storage.engines import DATABASE_FILE
from tests.commands.backup.deployment import FILLING, KEY, SECRET, opened


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of a deployment on SQLite, whose settings are those of this process."""
    folder = tmp_path / "data"
    settings = {
        "HOMEROOM_DEMO": "0",
        "HOMEROOM_DATA_DIR": str(folder),
        "ANTHROPIC_API_KEY": "key",
        "OIDC_METADATA_URL": "https://id.example.edu/.well-known/openid-configuration",
        "OIDC_CLIENT_ID": "homeroom",
        "OIDC_CLIENT_SECRET": "secret",
        "HOMEROOM_PUBLIC_URL": "https://homeroom.example.edu",
        "HOMEROOM_COOKIE_SECRET": SECRET,
        "HOMEROOM_VAULT_KEYS": KEY,
        "MONGODB_URI": "",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def database(data: Path) -> Path:
    """A database with one student, who has connected an account and has 40 tasks."""
    database = data / DATABASE_FILE
    with closing(opened(database)) as store:
        maya = Students(store, utc_now, secret=SECRET).sign_in(
            issuer="idp", subject="maya", name="Maya", email="m@e.edu"
        )
        sealed = Vault(KeyRing.parse([KEY])).seal("canary", student_id=maya.id, integration="canvas", field="grant")
        documents = store.for_student(maya.id)
        documents.insert("connections", {"id": "canvas", "version": 1, "sealed": {"grant": sealed}})
        for number in range(40):
            documents.insert("tasks", {"id": f"t{number}", "text": FILLING})
    return database


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "backup.sqlite"
